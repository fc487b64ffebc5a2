"""The flattening rules once more, value by value and row by row: slow, plain, and written to be compared with.

Knows nothing of pages that came before (names are given when all records are known), of long names or of shared tables.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from penstock.extractor.json_text import json_text
from penstock.extractor.numbers import Float, serialized_float, show_float


class Incompatible(Exception):
    pass


Tables = dict[tuple[str, tuple[str, ...]], list[list[str]]]
"""Path and header → rows."""


def flatten(data_type: str, records: list[Any]) -> Tables:
    node = new_node()
    for record in records:
        learn(node, record, is_item=True)
    tables: Tables = {}
    for record in records:
        write(tables, node, record, data_type, None)
    return tables


def new_node() -> dict[str, Any]:
    return {"kind": "null", "members": {}, "items": None}


def learn(node: dict[str, Any], value: Any, is_item: bool = False) -> None:
    kind = kind_of(value, is_item)
    if kind == "null":
        return
    if node["kind"] == "array" and kind != "array":
        learn(node["items"], value, is_item=True)
        return
    if kind == "array":
        turn_into_array(node)
        for item in value:
            learn(node["items"], item, is_item=True)
        return
    if node["kind"] not in ("null", kind):
        raise Incompatible
    node["kind"] = kind
    for key, inner in value.items() if kind == "object" else ():
        learn(node["members"].setdefault(key, new_node()), inner)


def turn_into_array(node: dict[str, Any]) -> None:
    if node["kind"] != "array":
        items = {**node}
        node.update(kind="array", members={}, items=items)


def kind_of(value: Any, is_item: bool) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "scalar" if is_item else "array"
    return "object" if isinstance(value, dict) else "scalar"


def write(tables: Tables, node: dict[str, Any], record: Any, path: str, parent: str | None) -> None:
    header, names = header_of(node), set(reserved(node))
    if node["kind"] != "object" and (parent is not None or node["kind"] == "scalar"):
        header = ["data"]
        names = {"data"}
    if parent is not None:
        header = [*header, unique("JSON_parentId", names)]
    rows = tables.setdefault((path, tuple(header)), [])
    whole = dict(record) if isinstance(record, dict) else {}
    if parent is not None:
        whole["JSON_parentId"] = parent
    cells = [] if node["kind"] == "object" else [show(record)] if header else []
    position = len(rows)
    rows.append([])
    if node["kind"] == "object":
        cells = members(tables, node, record or {}, path, f"{path}_{md5(serialize(whole))}")
    rows[position] = cells + ([parent] if parent is not None else [])


def members(tables: Tables, node: dict[str, Any], value: dict[str, Any], path: str, row_id: str) -> list[str]:
    cells: list[str] = []
    for key, child in node["members"].items():
        inner, below = value.get(key), f"{path}.{key}"
        if child["kind"] == "object":
            inner_id = f"{below}_{md5(serialize(inner or {}) + row_id)}"
            cells += members(tables, child, inner or {}, below, inner_id)
        elif child["kind"] == "array":
            items = [] if inner is None else inner if isinstance(inner, list) else [inner]
            for item in items:
                write(tables, child["items"], item, below, row_id)
            cells.append(row_id if items else "")
        else:
            cells.append(show(inner))
    return cells


def header_of(node: dict[str, Any]) -> list[str]:
    return [name for name, is_column in named(node, (), set()) if is_column]


def reserved(node: dict[str, Any]) -> list[str]:
    return [name for name, _ in named(node, (), set())]


def named(node: dict[str, Any], path: tuple[str, ...], taken: set[str]) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    for key, child in node["members"].items():
        name = unique(clean(".".join((*path, key))), taken)
        found.append((name, child["kind"] != "object"))
        if child["kind"] == "object":
            found += named(child, (*path, key), taken)
    return found


def unique(name: str, taken: set[str]) -> str:
    candidates = [name, *(f"{name}_u{number}" for number in range(len(taken) + 1))]
    free = next(candidate for candidate in candidates if candidate not in taken)
    taken.add(free)
    return free


def clean(name: str) -> str:
    return re.sub("_+", "_", re.sub(rb"[^A-Za-z0-9-]", b"_", name.encode()).decode()).strip("_")


def show(value: Any) -> str:
    if isinstance(value, Float):
        return show_float(value)
    if isinstance(value, list):
        return json_text(value)
    return (
        {None: "", True: "1", False: ""}.get(value, str(value))
        if value is None or isinstance(value, bool)
        else str(value)
    )


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
