"""The names of the tables of the legacy parser: made from their paths, and unique.

All pages are learnt before the first is written, so the names do not depend on the order of the rows. A path that is
found only while writing is named after all others.
"""

from __future__ import annotations

from collections.abc import Collection

from penstock.extractor.records.legacy.names import safe_name
from penstock.extractor.records.legacy.struct import Struct
from penstock.extractor.records.names import ListPath, distinct_names


class TableNames:
    def __init__(self, struct: Struct, taken: Collection[str] = ()) -> None:
        """`taken` are names of other tables."""
        self._struct, self._taken = struct, taken
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
        for each in (*self._struct.lists(), path):
            preferred.setdefault(self._list_path(each), safe_name(each))
        new = {each: name for each, name in preferred.items() if each not in self._names}
        self._names |= distinct_names(new, {*self._taken, *self._roots.values(), *self._names.values()})

    def _list_path(self, path: str) -> ListPath:
        """Data types that share a table share the tables of their lists, too."""
        roots = [root for root in self._roots if path.startswith(f"{root}.")]
        root = max(roots, key=len, default="")
        return (self._roots[root], path.removeprefix(f"{root}.")) if root else (path,)
