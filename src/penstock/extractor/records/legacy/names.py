"""Names of columns and tables of the legacy parser. Runs of underscores stay, and a second column of one name gets an
MD5.

All pages are learnt before the first is written, so the names of tables do not depend on the order of the rows. A path
that is found only while writing is named after all others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from penstock.extractor.records.legacy.struct import Struct
from penstock.extractor.records.names import ListPath, Scope, distinct_names

MAX_LENGTH = 64
_FORBIDDEN = re.compile(rb"[^A-Za-z0-9-]")
_RUN = re.compile(rb"[A-Za-z'-]+")
_INITIAL = re.compile(rb"(?<![A-Za-z0-9_])[A-Za-z0-9_]")


@lru_cache(16384)
def safe_name(name: str) -> str:
    """Returns a name that may be empty, for example for `ěš`."""
    return _FORBIDDEN.sub(b"_", _shortened(_bytes(name))).decode().strip("_")


def unique_names(candidates: Iterable[str]) -> tuple[str, ...]:
    """Returns the header of these columns. A third column of one name is left out, because it could not hold a
    value."""
    names: dict[str, None] = {}
    for candidate in candidates:
        name = safe_name(candidate)
        names[_md5(_bytes(candidate)) if name in names else name] = None
    return tuple(names)


def all_named(header: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names with `_u0` for the column with an empty name, as in the current parser."""
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


class TableNames:
    def __init__(self, struct: Struct, reserved: Collection[str] = ()) -> None:
        """`reserved` are names of other tables."""
        self._struct, self._reserved = struct, reserved
        self._roots: dict[str, str] = {}
        self._names: dict[ListPath, str] = {}

    def add_root(self, data_type: str) -> None:
        """The table of a data type is named after it; data types may share a table."""
        self._roots.setdefault(data_type, safe_name(data_type))

    def name(self, path: str) -> str:
        if path in self._roots:
            return self._roots[path]
        list_path = self._list_path(path)
        if list_path not in self._names:
            self._learn(path)
        return self._names[list_path]

    def _learn(self, path: str) -> None:
        preferred: dict[ListPath, str] = {}
        for list_path in (*self._struct.lists(), path):
            preferred.setdefault(self._list_path(list_path), safe_name(list_path))
        new = {list_path: name for list_path, name in preferred.items() if list_path not in self._names}
        self._names |= distinct_names(new, {*self._reserved, *self._roots.values(), *self._names.values()})

    def _list_path(self, path: str) -> ListPath:
        """Data types that share a table share the tables of their lists, too."""
        roots = [root for root in self._roots if path.startswith(f"{root}.")]
        root = max(roots, key=len, default="")
        return (self._roots[root], path.removeprefix(f"{root}.")) if root else (path,)
