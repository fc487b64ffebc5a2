"""Extra columns of rows: user data, values of parent records, and the link to a parent row.

An extra column with the name of a column of the records is renamed, and stays renamed in all later tables, as in the
original.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from penstock.extractor.records.tree import Node, Tree

PARENT = "JSON_parentId"
"""The column of a list's items that links to the row of the list."""


class Extras:
    """The extra columns of every data type, in the order of their first appearance."""

    def __init__(self) -> None:
        self._keys: dict[str, dict[str, None]] = {}

    def learn(self, data_type: str, extra: Mapping[str, Any]) -> bool:
        """Returns whether a table has got another column."""
        keys = self._keys.setdefault(data_type, {})
        size = len(keys)
        keys.update(dict.fromkeys(extra))
        return len(keys) > size

    def keys(self, data_type: str) -> list[str]:
        return list(self._keys.get(data_type, ()))

    def clash(self, tree: Tree) -> bool:
        return any(is_taken(key, tree.rows_of(data_type)) for data_type, keys in self._keys.items() for key in keys)


class Aliases:
    """The current names of extra columns."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, key: str, node: Node, others: Container[str] = ()) -> str:
        """Returns the name of the column in this table, and from now on in all others; `others` are its other extra
        columns."""
        name, number = self._names.get(key, key), 0
        while is_taken(name, node) or name in others:
            name, number = f"{key}_u{number}", number + 1
        self._names[key] = name
        return name


def is_taken(key: str, node: Node) -> bool:
    return key in node.members and not node.members[key].is_extra
