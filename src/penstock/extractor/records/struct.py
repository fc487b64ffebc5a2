"""The type tree as it is stored in the state, so that columns keep their names and positions in the next run.

Members have a `_` before their key; `nodeType` and `headerNames` describe the node itself. So does `tableName`, which
the original does not have: it is set only for lists whose tables would have the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.conflict import ITEMS, Kind
from penstock.extractor.records.naming import Naming
from penstock.extractor.records.tree import Node, Tree

VERSION = 3


def write_struct(tree: Tree, naming: Naming | None = None) -> dict[str, Any]:
    """`naming` is the one that names the tree; None for a new one."""
    naming = naming or Naming(tree)
    naming.update()
    tables = naming.contested_tables()
    roots = {f"_{name}": _written(root, tables) for name, root in tree.roots.items()}
    return {"data": roots or [], "parent_aliases": []}


def read_struct(struct: Any) -> Tree:
    """Raises UserError for a struct that no run could have written."""
    data = cast(dict[str, Any], struct).get("data") if isinstance(struct, dict) else None
    if not data:
        return Tree()
    members = _map(data, "data")
    return Tree({key.removeprefix("_"): _read(node, key) for key, node in members.items()})


def _written(node: Node, tables: Mapping[Node, str]) -> dict[str, Any]:
    text: dict[str, Any] = {f"_{key}": _written(child, tables) for key, child in node.members.items()}
    if node.items is not None:
        text[ITEMS] = _written(node.items, tables)
    text["nodeType"] = node.kind
    if node.header is not None:
        text["headerNames"] = node.header
    if node in tables:
        text["tableName"] = tables[node]
    return text | ({"type": "parent"} if node.is_extra else {})


def _read(raw: Any, path: str) -> Node:
    values = _map(raw, path)
    node = Node(_read_kind(values, path))
    node.stored_name = _read_header(values, path) or None  # a column with an empty name is named again
    node.was_list, node.table = node.kind == "array", _read_table(values, path)
    node.is_extra = values.get("type") == "parent"
    for key, value in values.items():
        if key == ITEMS:
            node.items = _read(value, f"{path}.{key}")
        elif key.startswith("_"):
            node.members[key[1:]] = _read(value, f"{path}.{key}")
    return node


def _read_kind(values: dict[str, Any], path: str) -> Kind:
    kind = values.get("nodeType", "scalar" if values.get("type") == "parent" else None)
    if kind is None:
        raise _malformed("Node data type is not set.", path)
    if kind not in get_args(Kind):
        raise _malformed(f"Node data type {kind!r} is unknown.", path)
    return cast(Kind, kind)


def _read_header(values: dict[str, Any], path: str) -> str | None:
    header = values.get("headerNames")
    if header is not None and not isinstance(header, str):
        raise _malformed("Node header is not a text.", path)
    return header


def _read_table(values: dict[str, Any], path: str) -> str | None:
    table = values.get("tableName")
    if table is not None and not isinstance(table, str):
        raise _malformed("Node table name is not a text.", path)
    return table or None


def _map(value: Any, path: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return cast(dict[str, Any], value)
    raise _malformed("Node is not a map.", path)


def _malformed(what: str, path: str) -> UserError:
    return UserError(
        f"{what} The state is wrong: at `{path}` of `json_parser.struct`. "
        "Delete `json_parser.struct` from the state to start afresh."
    )
