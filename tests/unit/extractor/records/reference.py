"""The flattening rules once more, value by value and row by row: slow, plain, and written to be compared with.

Knows nothing of long names. A table has all extra columns that any of its batches brings; two data types of one table
name must have one header. Names are given when all pages are in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.numbers import Float, serialized_float, show_float

Batch = tuple[str, list[Any], dict[str, Any]]
"""Data type, records, extra columns."""
LINK = "JSON_parentId"
MAX_LENGTH = 61


class Refused(Exception):
    """No tables can be made of these records."""


class TooLong(Exception):
    """A name that the model does not know how to shorten."""


class Node:
    def __init__(self) -> None:
        self.kind = "null"
        self.members: dict[str, Node] = {}
        self.items: Node | None = None
        self.header = ""
        self.is_named = False
        """Whether an earlier run gave it its name."""
        self.is_renamed = False
        self.table = ""
        self.was_list = False


class Model:
    """What a run has learnt; `later` is the same at the start of the next run."""

    def __init__(self) -> None:
        self.rows: dict[str, Node] = {}

    def later(self) -> Model:
        names = table_names(self.rows)
        for data_type, node in self.rows.items():
            keep_names(node)
            for _path, column in lists_in(node, (data_type,)):
                column.was_list = True
                column.table = names[column.items] if column.items else ""
        return self

    def tables(self, batches: list[Batch]) -> dict[str, str]:
        """File name → text."""
        full = [batch for batch in batches if batch[1] not in ([], [None])]
        for data_type, records, _extra in full:
            node = self.rows.setdefault(data_type, Node())
            for record in records:
                learn(node, record, is_item=True)
        for node in self.rows.values():
            name_table(node)
        names = table_names(self.rows)
        rehearsal = Writing(names, {})
        for data_type, records, extra in full:
            rehearsal.write(data_type, self.rows[data_type], records, extra)
        writing = Writing(names, rehearsal.extras)
        for data_type, records, extra in full:
            writing.write(data_type, self.rows[data_type], records, extra)
        if writing.is_mixed:
            raise Refused
        return {name: csv([header, *rows] if header else rows) for name, (header, rows) in writing.files.items()}


class Writing:
    def __init__(self, names: dict[Node, str], extras: dict[str, list[str]]) -> None:
        self.names, self.extras = names, extras
        self.aliases: dict[str, str] = {}
        self.headers: dict[Node, list[str]] = {}
        self.files: dict[str, tuple[list[str], list[list[str]]]] = {}
        self.is_mixed = False

    def write(self, data_type: str, node: Node, records: list[Any], extra: dict[str, Any]) -> None:
        values: dict[str, Any] = {}
        for key, value in extra.items():
            values[self.alias(key, node, values)] = value
        keys = self.extras.setdefault(data_type, [])
        keys += [key for key in values if key not in keys]
        for record in records:
            self.row(node, record, data_type, values, keys)

    def alias(self, key: str, node: Node, others: Mapping[str, Any]) -> str:
        name, number = self.aliases.get(key, key), 0
        while name in node.members or name in others:
            name, number = f"{key}_u{number}", number + 1
        self.aliases[key] = name
        return name

    def row(self, node: Node, record: Any, path: str, extra: dict[str, Any], keys: list[str]) -> None:
        has_data = node.kind == "scalar" or (node.kind == "null" and bool(keys))
        if node.kind == "object":
            whole = {**(record or {}), **extra}
            cells = self.cells(node, record or {}, path, f"{path}_{md5(serialize(whole))}")
        else:
            cells = [show(record)] if has_data else []
        names = ["data"] if has_data else columns(node)
        taken = {"", *(["data"] if has_data else reserved(node))}
        header = self.headers.setdefault(node, [*names, *(unique(clean(key), taken) for key in keys)])
        cells += [show(extra.get(key)) for key in keys]
        kept, rows = self.files.setdefault(self.names[node], (header, []))
        self.is_mixed |= kept != header or not self.names[node]
        rows.append(cells)

    def cells(self, node: Node, value: dict[str, Any], path: str, row_id: str) -> list[str]:
        cells: list[str] = []
        for key, child in node.members.items():
            inner, below = value.get(key), f"{path}.{key}"
            if child.kind == "object":
                cells += self.cells(child, inner or {}, below, f"{below}_{md5(serialize(inner or {}) + row_id)}")
            elif child.items is not None:
                cells.append(self.link(child.items, inner, below, row_id))
            else:
                cells.append(show(inner))
        return cells

    def link(self, node: Node, value: Any, path: str, row_id: str) -> str:
        items: list[Any] = [] if value is None else value if isinstance(value, list) else [value]
        key = self.alias(LINK, node, {}) if items else LINK
        for item in items:
            self.row(node, item, path, {key: row_id}, [key])
        return row_id if items else ""


def learn(node: Node, value: Any, is_item: bool = False) -> None:
    kind = kind_of(value, is_item)
    if kind == "null":
        return
    if kind == "array":
        is_first, items = node.items is None, items_of(node)
        for item in value:
            learn(items, item, is_item=True)
        if is_first:
            keys = [key for item in value if isinstance(item, dict) for key in item]
            items.members = {key: items.members[key] for key in dict.fromkeys([*keys, *items.members])}
    elif node.items is not None:
        learn(node.items, value, is_item=True)
    elif node.kind not in ("null", kind):
        raise Refused
    else:
        node.kind = kind
        for key, inner in value.items() if kind == "object" else ():
            learn(node.members.setdefault(key, Node()), inner)


def items_of(node: Node) -> Node:
    """What it was so far are its items now."""
    if node.items is None:
        node.items = Node()
        node.items.kind, node.items.members = node.kind, node.members
        node.kind, node.members = "array", {}
    return node.items


def kind_of(value: Any, is_item: bool) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "scalar" if is_item else "array"
    return "object" if isinstance(value, dict) else "scalar"


def name_table(node: Node) -> None:
    """Names of earlier runs stay, the others are given depth first; a column that would have none is named last."""
    taken = {child.header for child in within(node) if child.is_named}
    nameless = name_members(node, taken, ())
    for child in nameless:
        child.header = unique("", taken)


def name_members(node: Node, taken: set[str], path: tuple[str, ...]) -> list[Node]:
    nameless: list[Node] = []
    for key, child in node.members.items():
        wish = clean(".".join((*path, key)))
        if not child.is_named:
            child.header = unique(wish, taken)
        child.is_renamed = child.header != wish
        nameless += [] if child.header else [child]
        if child.items is not None:
            name_table(child.items)
        nameless += name_members(child, taken, (*path, key))
    return nameless


def keep_names(node: Node) -> None:
    for child in within(node):
        child.is_named = True
        if child.items is not None:
            keep_names(child.items)


def table_names(roots: dict[str, Node]) -> dict[Node, str]:
    """Data types have their names; a list has its own unless it is taken, and otherwise some digits more."""
    names = {node: clean(data_type) for data_type, node in roots.items()}
    taken = dict.fromkeys(names.values(), "")
    lists = [each for data_type, node in roots.items() for each in lists_in(node, (data_type,))]
    for path, column in sorted(lists, key=lambda each: (not each[1].was_list, each[1].is_renamed)):
        taken.setdefault(column.table or clean(".".join(path)), identity(path))
    for path, column in lists:
        wish = column.table or clean(".".join(path))
        assert column.items is not None
        names[column.items] = wish if taken[wish] == identity(path) else f"{wish}_{md5(identity(path))[:8]}"
    return names


def identity(path: tuple[str, ...]) -> str:
    return "\0".join((clean(path[0]), *path[1:]))


def lists_in(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    for key, child in node.members.items():
        inner = (*path, key)
        if child.items is not None:
            yield inner, child
        yield from lists_in(child.items or child, inner)


def within(node: Node) -> Iterator[Node]:
    """The places of one table."""
    for child in node.members.values():
        yield child
        yield from within(child)


def columns(node: Node) -> list[str]:
    return [child.header for child in within(node) if child.kind != "object"]


def reserved(node: Node) -> list[str]:
    return [child.header for child in within(node)]


def unique(name: str, taken: set[str]) -> str:
    candidates = [name, *(f"{name}_u{number}" for number in range(len(taken) + 1))]
    free = next(candidate for candidate in candidates if candidate not in taken)
    taken.add(free)
    return free


def clean(name: str) -> str:
    if len(name.encode()) > MAX_LENGTH:
        raise TooLong
    return re.sub("_+", "_", re.sub(rb"[^A-Za-z0-9-]", b"_", name.encode()).decode()).strip("_")


def show(value: Any) -> str:
    if isinstance(value, Float):
        return show_float(value)
    if isinstance(value, (list, dict)):
        return json_text(value)
    return {None: "", True: "1", False: ""}[value] if value is None or isinstance(value, bool) else str(value)


def csv(rows: list[list[str]]) -> str:
    return "".join(",".join(f'"{cell.replace(QUOTE, QUOTE * 2)}"' for cell in row) + "\n" for row in rows)


QUOTE = '"'


def serialize(value: Any) -> str:
    if value is None:
        return "N;"
    if isinstance(value, bool):
        return f"b:{int(value)};"
    if isinstance(value, int):
        return f"i:{value};" if -(2**63) <= value < 2**63 else f"d:{serialized_float(value)};"
    if isinstance(value, Float):
        return f"d:{serialized_float(value)};"
    if isinstance(value, str):
        return f's:{len(value.encode())}:"{value}";'
    if isinstance(value, list):
        return f"a:{len(value)}:{{{''.join(f'i:{n};{serialize(v)}' for n, v in enumerate(value))}}}"
    return f'O:8:"stdClass":{len(value)}:{{{"".join(serialize(k) + serialize(v) for k, v in value.items())}}}'


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()
