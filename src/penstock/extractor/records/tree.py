"""What the records look like: a tree of types that every page is merged into.

Keys stand in the order of their first appearance. Where a key holds an object first and a list later, the keys of that
list's items go before those of the object, as in the original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

from penstock.extractor.errors import UserError
from penstock.extractor.records.columns import Column
from penstock.extractor.records.conflict import KindConflict
from penstock.extractor.records.kinds import ITEMS, KINDS, Items, Kind, Path

Report = Callable[[str, Any], None]

MOST_NESTED = 511
"""How many lists and objects may stand inside each other, which is what the original reads."""


class Node:
    """One place in the records: its type, and what is below it."""

    __slots__ = ("header", "is_extra", "is_renamed", "items", "kind", "known", "members", "table", "was_list")

    def __init__(self, kind: Kind = "null") -> None:
        self.kind: Kind = kind
        self.members: dict[str, Node] = {}
        self.items: Node | None = None
        self.known: str | None = None
        """The name that an earlier run gave to the column, and that it keeps."""
        self.header: str | None = None
        """What the column is called as far as is known now; see naming.py."""
        self.is_renamed = False
        """Whether another column had the name first that this one would have."""
        self.is_extra = False
        self.was_list = False
        """Whether an earlier run found a list here, whose table keeps its name."""
        self.table: str | None = None
        """What the table of the list was called in earlier runs, if other lists would be called the same."""


class Tree:
    """The types of all records of a run, by data type."""

    def __init__(self, roots: dict[str, Node] | None = None) -> None:
        self.roots = roots or {}
        self.version = 0
        """Grows with every page that brought something new."""
        self.versions = dict.fromkeys(self.roots, 0)
        """The version at which each data type last changed."""

    def rows_of(self, data_type: str) -> Node:
        return self.roots[data_type].items or Node()

    def learn(self, data_type: str, rows: Column, report: Report) -> None:
        """Merge a page; `report` hears about lists that stand directly inside lists."""
        root = self.roots.setdefault(data_type, Node("array"))
        study = _Study(report)
        study.merge(study.items_of(root), rows, (data_type, ITEMS))
        if study.is_news:
            self.version += 1
            self.versions[data_type] = self.version


class _Study:
    """One page being merged."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.is_news = False

    def merge(self, node: Node, column: Column, path: Path) -> None:
        """Merge all values of one place."""
        kinds: dict[Kind, None] = dict.fromkeys(KINDS[kind] for kind in column.kinds)
        if len(path) > MOST_NESTED and ("object" in kinds or "array" in kinds):
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
        """A place that holds lists, or does so from now on: single values there are lists of one."""
        if node.kind == "object" or (node.kind != "array" and dict in column.kinds):
            column = self._merge_first_list(node, column, path)
        self._become(node, "array", path)
        self.merge(self.items_of(node), column.items if list in column.kinds else column, (*path, ITEMS))

    def _merge_first_list(self, node: Node, column: Column, path: Path) -> Column:
        """Where objects meet lists; returns the values after the first list, for which all is the same."""
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
            self._wrap(node)
        else:
            raise KindConflict(node.kind, kind, path)

    def items_of(self, node: Node) -> Node:
        if node.items is None:
            node.items, self.is_news = Node(), True
        return node.items

    def _wrap(self, node: Node) -> None:
        """A single value becomes a list of one."""
        items = self.items_of(node)
        items.kind, items.members, node.members = node.kind, node.members, {}
        node.kind = "array"

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


def lists_below(node: Node, keys: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Every list below a place, and the keys down to it."""
    for key, child in node.members.items():
        inner = (*keys, key)
        if child.items is not None:
            yield inner, child
        yield from lists_below(child.items or child, inner)
