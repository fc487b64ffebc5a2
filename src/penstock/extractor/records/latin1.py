"""Texts as bytes in disguise: one character for each byte of their UTF-8 (latin-1).

Rows are joined from many texts and then encoded or hashed. One letter of another alphabet would widen all that it is
joined with, and encoding that again takes as long as joining it. In disguise every text is as narrow as ASCII, which
needs none, and encoding is copying. Whoever joins such texts ends with `revealed`.
"""

from __future__ import annotations

from collections.abc import Sequence

_BETWEEN = "\0"
"""Hardly any text holds it; where one does, texts are disguised one by one."""


def as_latin1(text: str) -> str:
    return text if text.isascii() else text.encode().decode("latin-1")


def all_as_latin1(texts: Sequence[str]) -> Sequence[str]:
    """The very same texts where all are ASCII."""
    return joined_as_latin1(texts, join(texts))


def join(texts: Sequence[str]) -> str:
    """All texts in one, for whoever has more to ask of it before they are disguised."""
    return _BETWEEN.join(texts)


def joined_as_latin1(texts: Sequence[str], joined: str) -> Sequence[str]:
    """The same for texts that were joined already: a column is disguised as one text and taken apart again."""
    if joined.isascii():
        return texts
    parts = as_latin1(joined).split(_BETWEEN)
    return parts if len(parts) == len(texts) else list(map(as_latin1, texts))


def to_bytes(text: str) -> bytes:
    return text.encode("latin-1")
