"""Names columns and tables; those of a data type are named again after every page that has changed its types.

Names depend on the final types and on the names in the state, not on where one page ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from operator import attrgetter

import msgspec

from penstock.extractor.records.extras import PARENT, is_taken
from penstock.extractor.records.names import ListPath, Scope, column_name, distinct_names, table_name
from penstock.extractor.records.tree import Node, Tree, lists_below


class _List(msgspec.Struct, frozen=True):
    """A list below a data type, the preferred name of its table, and its node."""

    path: ListPath
    preferred: str
    node: Node
    precedence: tuple[bool, bool]
    """Lists of earlier runs come first; then those whose column was not renamed."""


class Naming:
    """The names of one tree; only data types that have changed since the last update are named again."""

    def __init__(self, tree: Tree, reserved: Collection[str] = ()) -> None:
        """`reserved` are names of other tables."""
        self._tree, self._reserved = tree, reserved
        self._versions: dict[str, int] = {}
        self._roots: dict[str, str] = {}
        self._lists: dict[str, list[_List]] = {}
        self._paths: dict[Node, ListPath] = {}
        """By the node of a table's rows; a path of one name is a table at the root."""
        self._with_parent_key: set[str] = set()
        self._names: dict[ListPath, str] | None = None

    def update(self) -> None:
        """Call it after the tree has changed, before names are used."""
        for data_type, version in self._tree.versions.items():
            if self._versions.get(data_type) != version:
                self._versions[data_type] = version
                self._name(data_type)

    @property
    def has_shared_tables(self) -> bool:
        """Returns whether two data types have tables of the same name."""
        return len(set(self._roots.values())) < len(self._roots)

    @property
    def has_renamed_links(self) -> bool:
        """Returns whether items of a list have a key with the name of the column that links them to their parent."""
        return bool(self._with_parent_key)

    def table_name(self, node: Node) -> str:
        """Returns the name of the table whose rows the node describes."""
        path = self._paths[node]
        return path[0] if len(path) == 1 else self._list_names()[path]

    def contested_tables(self) -> dict[Node, str]:
        """Returns the tables of lists that did not get their preferred name, or share it with others, by the list's
        node."""
        names, lists = self._list_names(), list(chain.from_iterable(self._lists.values()))
        paths: dict[str, set[ListPath]] = {}
        for array in lists:
            paths.setdefault(array.preferred, set()).add(array.path)
        contested = [
            array for array in lists if len(paths[array.preferred]) > 1 or names[array.path] != array.preferred
        ]
        return {array.node: names[array.path] for array in contested}

    def _name(self, data_type: str) -> None:
        _name_table(self._tree.roots[data_type])
        root = self._roots.setdefault(data_type, table_name(data_type))
        self._paths[self._tree.rows_of(data_type)] = (root,)
        lists = list(_lists(self._tree, data_type, root))
        if lists != self._lists.get(data_type):
            self._lists[data_type], self._names = lists, None
        self._paths |= {array.node.items: array.path for array in lists if array.node.items is not None}
        if any(array.node.items and is_taken(PARENT, array.node.items) for array in lists):
            self._with_parent_key.add(data_type)

    def _list_names(self) -> dict[ListPath, str]:
        """Tables at the root take precedence over lists, and among lists of the same precedence earlier ones."""
        if self._names is None:
            lists = sorted(chain.from_iterable(self._lists.values()), key=attrgetter("precedence"))
            preferred: dict[ListPath, str] = {}
            for array in lists:
                preferred.setdefault(array.path, array.node.table or array.preferred)
            self._names = distinct_names(preferred, {*self._reserved, *self._roots.values()})
        return self._names


def _name_table(node: Node) -> None:
    """Names the columns of a list's items, and those of the lists below it."""
    if node.items is None:
        return
    node.items.header = node.items.stored_name or "data"
    columns, scope = list(_columns(node.items, "")), Scope()
    for column, _path in columns:
        if column.stored_name:
            scope.take(column.stored_name)
    for column, path in columns:
        spelling = column_name(path)
        column.header = column.stored_name or scope.take(spelling)
        column.is_renamed = column.header != spelling
    _name_nameless([column for column, _path in columns], scope)
    for column, _path in columns:
        if column.kind == "array":
            _name_table(column)


def _name_nameless(columns: list[Node], scope: Scope) -> None:
    """The original names a column without a name again with every page, so the first one gets the last suffix."""
    for column in columns:
        if not column.header:
            column.header = scope.take("")


def _columns(node: Node, prefix: str) -> Iterator[tuple[Node, str]]:
    """Yields all nodes of one table with their paths; objects have a name too, although they have no column."""
    for key, child in node.members.items():
        path = f"{prefix}{key}"
        yield child, path
        if child.kind != "array":
            yield from _columns(child, f"{path}.")


def _lists(tree: Tree, data_type: str, root: str) -> Iterator[_List]:
    """Yields all lists of a data type. Data types that share a table share the tables of their lists, too."""
    for keys, node in lists_below(tree.rows_of(data_type)):
        yield _List((root, *keys), table_name(".".join((data_type, *keys))), node, (not node.was_list, node.is_renamed))
