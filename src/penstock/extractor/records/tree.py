"""The types of the records: a tree that every page is merged into.

Keys are in the order of their first appearance. If a key holds an object first and a list later, the keys of that
list's items come before those of the object, as in the original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.columns import Column
from penstock.extractor.records.conflict import ITEMS, KINDS, Items, Kind, KindConflict, Path

Report = Callable[[str, Any], None]

MAX_NESTED = 511
"""How deeply lists and objects may be nested, which is the limit of the original."""


class Node:
    """One field of the records: its type, and the fields below it."""

    __slots__ = ("header", "is_extra", "is_renamed", "items", "kind", "members", "stored_name", "table", "was_list")

    def __init__(self, kind: Kind = "null") -> None:
        self.kind: Kind = kind
        self.members: dict[str, Node] = {}
        self.items: Node | None = None
        self.stored_name: str | None = None
        """The name of the column in earlier runs, which it keeps."""
        self.header: str | None = None
        """The current name of the column; see naming.py."""
        self.is_renamed = False
        """Whether another column has the preferred name of this one."""
        self.is_extra = False
        self.was_list = False
        """Whether earlier runs found a list here; its table keeps its name."""
        self.table: str | None = None
        """The name of the list's table in earlier runs, if other lists prefer the same name."""


class Tree:
    """The types of all records of a run, by data type."""

    def __init__(self, roots: dict[str, Node] | None = None) -> None:
        self.roots = roots or {}
        self.version = 0
        """Incremented by every page that changes a type."""
        self.versions = dict.fromkeys(self.roots, 0)
        """The version at which each data type last changed."""

    def rows_of(self, data_type: str) -> Node:
        return self.roots[data_type].items or Node()

    def learn(self, data_type: str, rows: Column, report: Report) -> None:
        """Merges a page; `report` is called for lists directly inside lists."""
        root = self.roots.setdefault(data_type, Node("array"))
        merge = _Merge(report)
        merge.merge(merge.items_of(root), rows, (data_type, ITEMS))
        if merge.has_changed:
            self.version += 1
            self.versions[data_type] = self.version


class _Merge:
    """Merges one page."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.has_changed = False

    def merge(self, node: Node, column: Column, path: Path) -> None:
        """Merges all values of one field."""
        kinds: dict[Kind, None] = dict.fromkeys(KINDS[kind] for kind in column.kinds)
        if len(path) > MAX_NESTED and ("object" in kinds or "array" in kinds):
            raise _too_deep(path[0])
        if (node.kind == "array" or "array" in kinds) and not isinstance(path[-1], Items):
            self._merge_lists(node, column, path)
            return
        for kind in kinds:
            self._merge_kind(node, kind, column, path)

    def _merge_kind(self, node: Node, kind: Kind, column: Column, path: Path) -> None:
        self._become(node, self._listed_list(column.values, path) if kind == "array" else kind, path)
        if kind == "object":
            self._merge_members(node, column, path)

    def _merge_lists(self, node: Node, column: Column, path: Path) -> None:
        """A field that holds lists, or does so from now on: single values count as lists of one."""
        if node.kind == "object" or (node.kind != "array" and dict in column.kinds):
            column = self._merge_first_list(node, column, path)
        self._become(node, "array", path)
        self.merge(self.items_of(node), column.items if list in column.kinds else column, (*path, ITEMS))

    def _merge_first_list(self, node: Node, column: Column, path: Path) -> Column:
        """Merges the values up to the first list among objects, and returns those after it."""
        values = column.values
        first = next(index for index, value in enumerate(values) if type(value) is list)
        if first:
            self.merge(node, Column(values[:first]), path)
        self._become(node, "array", path)
        items, listed = self.items_of(node), Column(values[first])
        self.merge(items, listed, (*path, ITEMS))
        items.members = {key: items.members[key] for key in dict.fromkeys(chain(listed.members, items.members))}
        return Column(values[first + 1 :])

    def _merge_members(self, node: Node, column: Column, path: Path) -> None:
        for key, values in column.members.items():
            child = node.members.get(key)
            if child is None:
                child = node.members[key] = Node()
                self.has_changed = True
            elif child.is_extra:  # an extra column of an earlier run is now a key of the records, whose values count
                child.is_extra, child.kind, self.has_changed = False, "null", True
            self.merge(child, values, (*path, key))

    def _become(self, node: Node, kind: Kind, path: Path) -> None:
        if kind == "null" or node.kind in (kind, "array"):
            return
        self.has_changed = True
        if node.kind == "null":
            node.kind = kind
        elif kind == "array":
            self._wrap(node)
        else:
            raise KindConflict(node.kind, kind, path)

    def items_of(self, node: Node) -> Node:
        if node.items is None:
            node.items, self.has_changed = Node(), True
        return node.items

    def _wrap(self, node: Node) -> None:
        """A single value becomes a list of one."""
        items = self.items_of(node)
        items.kind, items.members, node.members = node.kind, node.members, {}
        node.kind = "array"

    def _listed_list(self, values: Sequence[Any], path: Path) -> Kind:
        """Reports a list once per field and page, however many there are."""
        lists = [value for value in values if KINDS[type(value)] == "array"]
        example, allowed = lists[0], MAX_NESTED - len(path) + 1
        if any(_is_deeper(inner, allowed) for inner in lists):
            raise _too_deep(path[0])
        self.report(f"Converting nested array '{'.'.join(path)}' to JSON string.", example)
        return "scalar"


def _is_deeper(value: Any, levels: int) -> bool:
    """Returns whether lists and objects are nested more deeply than this."""
    inner: list[Any] = [value]
    for _ in range(levels):
        items = chain.from_iterable(_held(item) for item in inner)
        inner = [item for item in items if isinstance(item, (dict, list))]
        if not inner:
            return False
    return True


def _held(value: Any) -> Iterable[Any]:
    return cast(dict[str, Any], value).values() if isinstance(value, dict) else cast(list[Any], value)


def _too_deep(data_type: str) -> UserError:
    return UserError(
        "Invalid JSON response from API: JSON decode error: Maximum stack depth exceeded. The records of "
        f"'{data_type}' are more than {MAX_NESTED} levels deep. Name a part of the response in `dataField`, or keep "
        "deep values as JSON text with `responseFilter`."
    )


def lists_below(node: Node, keys: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Yields all lists below a node, with the keys that lead to them."""
    for key, child in node.members.items():
        inner = (*keys, key)
        if child.items is not None:
            yield inner, child
        yield from lists_below(child.items or child, inner)
