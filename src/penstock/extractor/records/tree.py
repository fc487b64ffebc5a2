"""What the records look like: a tree of types that every page is merged into.

Keys stand in the order of their first appearance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, cast

from penstock.extractor.errors import UserError
from penstock.extractor.records.columns import Column
from penstock.extractor.records.conflict import KindConflict
from penstock.extractor.records.kinds import ITEMS, KINDS, Items, Kind, Path
from penstock.extractor.records.names import Scope, column_name

Report = Callable[[str, Any], None]

MOST_NESTED = 511
"""How many lists and objects may stand inside each other, which is what the original reads."""
_ONE_TEXT = Column([""])


class Node:
    """One place in the records: its type, and what is below it."""

    __slots__ = ("header", "is_extra", "items", "kind", "members", "scope")

    def __init__(self, kind: Kind = "null") -> None:
        self.kind: Kind = kind
        self.members: dict[str, Node] = {}
        self.items: Node | None = None
        self.header: str | None = None
        self.is_extra = False
        self.scope: Scope | None = None
        """The column names of the table whose rows this node describes."""


class Tree:
    """The types of all records of a run, by data type."""

    def __init__(self, roots: dict[str, Node] | None = None) -> None:
        self.roots = roots or {}
        self.version = 0
        """Grows with every page that brought something new."""

    def rows_of(self, data_type: str) -> Node:
        return self.roots[data_type].items or Node()

    def learn(self, data_type: str, rows: Column, report: Report) -> None:
        """Merge a page; `report` hears about lists that stand directly inside lists."""
        root = self.roots.setdefault(data_type, Node("array"))
        study = _Study(report)
        study.merge(_items_of(root), rows, (data_type, ITEMS))
        if study.is_news:
            self.version += 1
            name_columns(root)


class _Study:
    """One page being merged."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.is_news = False

    def merge(self, node: Node, column: Column, path: Path) -> None:
        """Merge all values of one place."""
        kinds: dict[Kind, None] = dict.fromkeys(KINDS[kind] for kind in column.kinds)
        if "object" in kinds and ("array" in kinds or node.kind == "array"):
            for value in column.values:  # keys of objects and of listed objects take turns, in the order of the rows
                self._merge_kind(node, KINDS[type(value)], Column([value]), path)
            return
        for kind in kinds:
            self._merge_kind(node, kind, column, path)

    def _merge_kind(self, node: Node, kind: Kind, column: Column, path: Path) -> None:
        if kind in ("object", "array") and len(path) > MOST_NESTED:
            raise _too_deep(path[0])
        if kind == "array" and isinstance(path[-1], Items):
            kind = self._listed_list(column.values, path)
        self._become(node, kind, path)
        if node.kind == "array" and kind not in ("array", "null"):
            self.merge(_items_of(node), column if kind == "object" else _ONE_TEXT, (*path, ITEMS))
        elif kind == "object":
            self._merge_members(node, column, path)
        elif kind == "array":
            self.merge(_items_of(node), column.listed, (*path, ITEMS))

    def _merge_members(self, node: Node, column: Column, path: Path) -> None:
        for key, values in column.members.items():
            child = node.members.get(key)
            if child is None:
                child = node.members[key] = Node()
                self.is_news = True
            elif child.is_extra:  # added by an earlier run, now a key of the records: its values must not be lost
                child.is_extra, child.kind, self.is_news = False, "null", True
            self.merge(child, values, (*path, key))

    def _become(self, node: Node, kind: Kind, path: Path) -> None:
        if kind == "null" or node.kind in (kind, "array"):
            return
        self.is_news = True
        if node.kind == "null":
            node.kind = kind
        elif kind == "array":
            _wrap(node)
        else:
            raise KindConflict(node.kind, kind, path)

    def _listed_list(self, values: Sequence[Any], path: Path) -> Kind:
        """Told once per place and page: a grid of a million cells is one piece of news."""
        lists = [value for value in values if KINDS[type(value)] == "array"]
        example, allowed = lists[0], MOST_NESTED - len(path) + 1
        if any(_is_deeper(each, allowed) for each in lists):
            raise _too_deep(path[0])
        self.report(f"Converting nested array '{'.'.join(path)}' to JSON string.", example)
        return "scalar"


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether more than so many lists and objects stand inside each other."""
    inner: list[Any] = [value]
    for _ in range(levels):
        held = chain.from_iterable(_held(each) for each in inner)
        inner = [each for each in held if isinstance(each, (dict, list))]
        if not inner:
            return False
    return True


def _held(value: Any) -> Iterable[Any]:
    return cast(dict[str, Any], value).values() if isinstance(value, dict) else cast(list[Any], value)


def _too_deep(data_type: str) -> UserError:
    return UserError(
        "Invalid JSON response from API: JSON decode error: Maximum stack depth exceeded. The records of "
        f"'{data_type}' are more than {MOST_NESTED} levels deep. Name a part of the response in `dataField`, or keep "
        "deep values as JSON text with `responseFilter`."
    )


def name_columns(root: Node) -> None:
    """Give every new column of the tables below its name; one that has a name keeps it."""
    rows = _items_of(root)
    if rows.scope is None:
        rows.scope = Scope()
        for header in _headers(rows):
            rows.scope.take(header)
    rows.header = rows.header or "data"
    _name_members(rows, rows.scope, ())


def _name_members(node: Node, scope: Scope, path: Path) -> None:
    if node.kind == "array":
        name_columns(node)
        return
    for key, child in node.members.items():
        inner = (*path, key)
        if child.header is None:
            child.header = scope.take(column_name(".".join(inner)))
        _name_members(child, scope, inner)


def _headers(node: Node) -> list[str]:
    """The names that the loaded state gave to the columns of one table."""
    named = [child.header for child in node.members.values() if child.header is not None]
    nested = (_headers(child) for child in node.members.values() if child.kind != "array")
    return [*named, *chain.from_iterable(nested)]


def _items_of(node: Node) -> Node:
    if node.items is None:
        node.items = Node()
    return node.items


def _wrap(node: Node) -> None:
    """A single value becomes a list of one; columns that were named before keep their names."""
    items = _items_of(node)
    items.kind, items.members, node.members = node.kind, node.members, {}
    node.kind = "array"
