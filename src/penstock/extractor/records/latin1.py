"""Texts as UTF-8 bytes in a str: one character for each byte (Latin-1).

Rows are joined from many texts and then encoded or hashed. One character beyond Latin-1 would make Python store the
whole joined text with two or four bytes per character, and encoding that takes as long as joining. In this form every
text takes one byte per character, and encoding is copying. ASCII texts are the same in both forms. Joined texts are
converted by `to_bytes`.
"""

from __future__ import annotations

from collections.abc import Sequence

_BETWEEN = "\0"
"""Rare in texts; if one contains it, texts are converted one by one."""


def as_latin1(text: str) -> str:
    return text if text.isascii() else text.encode().decode("latin-1")


def all_as_latin1(texts: Sequence[str]) -> Sequence[str]:
    """The same sequence if all texts are ASCII."""
    return joined_as_latin1(texts, join(texts))


def join(texts: Sequence[str]) -> str:
    """All texts in one, for `joined_as_latin1`; callers use it for other checks, too."""
    return _BETWEEN.join(texts)


def joined_as_latin1(texts: Sequence[str], joined: str) -> Sequence[str]:
    """The same as `all_as_latin1`, for texts that were joined already: they are converted as one text and split."""
    if joined.isascii():
        return texts
    return split_as_latin1(joined, len(texts)) or list(map(as_latin1, texts))


def split_as_latin1(joined: str, count: int) -> list[str] | None:
    """The texts that were joined; None if they are not `count`, because one contains what is between them."""
    parts = as_latin1(joined).split(_BETWEEN)
    return parts if len(parts) == count else None


def to_bytes(text: str) -> bytes:
    return text.encode("latin-1")
