"""Names of the legacy parser: runs of underscores stay, and a second column of one name gets an MD5."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache

from penstock.extractor.records.names import Scope

MAX_LENGTH = 64
_FORBIDDEN = re.compile(rb"[^A-Za-z0-9-]")
_RUN = re.compile(rb"[A-Za-z'-]+")
_INITIAL = re.compile(rb"(?<![A-Za-z0-9_])[A-Za-z0-9_]")


@lru_cache(16384)
def safe_name(name: str) -> str:
    """May be empty, for example for `ěš`."""
    return _FORBIDDEN.sub(b"_", _shortened(_bytes(name))).decode().strip("_")


def unique_names(candidates: Iterable[str]) -> tuple[str, ...]:
    """The header of these columns. A third column of one name is left out, because it could not hold a value."""
    names: dict[str, None] = {}
    for candidate in candidates:
        name = safe_name(candidate)
        names[_md5(_bytes(candidate)) if name in names else name] = None
    return tuple(names)


def all_named(header: tuple[str, ...]) -> tuple[str, ...]:
    """With `_u0` for the column with an empty name, as in the current parser."""
    scope = Scope()
    for name in ("", *filter(None, header)):
        scope.take(name)
    return tuple(name or scope.take("") for name in header)


def _shortened(name: bytes) -> bytes:
    """Initials or an MD5, followed by as many whole words of the end as fit."""
    if len(name) <= MAX_LENGTH:
        return name
    has_words = len([run for run in _RUN.findall(name) if run.strip(b"'-")]) > 1
    prefix = (b"".join(_INITIAL.findall(name)) if has_words else _md5(name).encode()) + b"_"
    start = len(name) - (MAX_LENGTH - len(prefix))
    tail = name.find(b" ", start)
    if tail < 0:
        tail = name.find(b"_", start)
    return prefix if tail < 0 else prefix + name[tail:]


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _md5(name: bytes) -> str:
    return hashlib.md5(name, usedforsecurity=False).hexdigest()
