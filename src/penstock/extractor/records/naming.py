"""The names of all columns and tables, given anew whenever a page has brought something new.

They depend on what the records look like in the end and on the names that the state remembers, and not on where one
page ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from penstock.extractor.records.names import Scope, column_name, distinct_names, table_name
from penstock.extractor.records.tree import Node, Tree, lists_below

Place = tuple[str, ...]
"""The name of the table at the root, and the keys down to a list."""


def name_columns(tree: Tree) -> None:
    for root in tree.roots.values():
        _name_table(root)


def table_names(tree: Tree, taken: Collection[str] = ()) -> dict[Node, str]:
    """What the tables are called, by the node that describes their rows; `taken` are names of other tables.

    Lists give way to tables at the root. Among lists, those whose column has a number after its name give way to the
    others, and then the later ones to the earlier ones.
    """
    roots = {tree.rows_of(data_type): table_name(data_type) for data_type in tree.roots}
    lists = [found for data_type in tree.roots for found in _lists(tree, data_type)]
    wishes: dict[Place, str] = {}
    for place, wish, _node in sorted(lists, key=lambda found: found[2].is_renamed):
        wishes.setdefault(place, wish)
    names = distinct_names(wishes, {*taken, *roots.values()})
    return roots | {node.items: names[place] for place, _wish, node in lists if node.items is not None}


def _name_table(node: Node) -> None:
    """The columns of a list's items, and those of the lists below it."""
    if node.items is None:
        return
    node.items.header = node.items.known or "data"
    columns, scope = list(_columns(node.items, "")), Scope()
    for column, _path in columns:
        if column.known:
            scope.take(column.known)
    for column, path in columns:
        spelling = column_name(path)
        column.header = column.known or scope.take(spelling)
        column.is_renamed = column.header != spelling
    _name_nameless([column for column, _path in columns], scope)
    for column, _path in columns:
        if column.kind == "array":
            _name_table(column)


def _name_nameless(columns: list[Node], scope: Scope) -> None:
    """The original names a column without a name again with every page, so the first one gets the last number."""
    for column in columns:
        if not column.header:
            column.header = scope.take("")


def _columns(node: Node, prefix: str) -> Iterator[tuple[Node, str]]:
    """Every node of one table and its path there; objects have a name too, although they have no column."""
    for key, child in node.members.items():
        path = f"{prefix}{key}"
        yield child, path
        if child.kind != "array":
            yield from _columns(child, f"{path}.")


def _lists(tree: Tree, data_type: str) -> Iterator[tuple[Place, str, Node]]:
    """Every list of a data type: its place, the name that its table would have if there were no other, its node.

    Data types that share a table share those of their lists, too.
    """
    start = table_name(data_type)
    for keys, node in lists_below(tree.rows_of(data_type)):
        yield (start, *keys), table_name(".".join((data_type, *keys))), node
