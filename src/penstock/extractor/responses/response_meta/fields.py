"""The values of a response outside its records, with their paths: where APIs put totals, flags and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import msgspec

Path = tuple[str, ...]
DELIMITERS = (".", "/", "|", ":", "~")
DEEPEST = 6


class Field(msgspec.Struct, frozen=True):
    path: Path
    value: Any

    @property
    def name(self) -> str:
        return normal(self.path[-1])


def fields(document: Any, skipped: Path | None = None) -> Iterator[Field]:
    """Yields the scalars below objects; what is at the skipped path, and in arrays, is left out."""
    return _below(document, (), skipped) if isinstance(document, dict) else iter(())


def _below(value: Any, path: Path, skipped: Path | None) -> Iterator[Field]:
    if path == skipped or len(path) > DEEPEST or isinstance(value, list):
        return
    if not isinstance(value, dict):
        yield Field(path, value)
        return
    for key, member in cast(dict[str, Any], value).items():
        yield from _below(member, (*path, key), skipped)


def normal(name: str) -> str:
    """Returns a name to compare spellings with: without case, separators and the prefix of OData."""
    return re.sub(r"[^a-z0-9]", "", name.lower().removeprefix("@odata.").removeprefix("odata."))


def spell(path: Path) -> tuple[str, str]:
    """Returns the path as a text, and the delimiter in it: one that no key contains."""
    for delimiter in DELIMITERS:
        if not any(delimiter in key for key in path):
            return delimiter.join(path), delimiter
    return ".".join(path), "."


def render_value(value: Any) -> str:
    """Returns a value as evidence shows it; not cut, because a part of a secret would not be recognized."""
    return msgspec.json.encode(value, enc_hook=str).decode()
