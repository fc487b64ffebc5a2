"""The type tree as the state keeps it between runs, so that columns keep their names and places.

Members carry a `_` before their key; `nodeType` and `headerNames` are the node's own.
"""

from __future__ import annotations

from typing import Any, cast, get_args

from penstock.extractor.errors import UserError
from penstock.extractor.records.tree import ITEMS, Kind, Node, Tree, name_columns

VERSION = 3


def write_struct(tree: Tree) -> dict[str, Any]:
    roots = {f"_{name}": _written(root) for name, root in tree.roots.items()}
    return {"data": roots or [], "parent_aliases": []}


def read_struct(struct: Any) -> Tree:
    """Raises UserError for a struct that no run could have written."""
    data = cast(dict[str, Any], struct).get("data") if isinstance(struct, dict) else None
    if not data:
        return Tree()
    members = _map(data, "data")
    roots = {key.removeprefix("_"): _read(node, key) for key, node in members.items()}
    for root in roots.values():
        name_columns(root)
    return Tree(roots)


def _written(node: Node) -> dict[str, Any]:
    text: dict[str, Any] = {f"_{key}": _written(child) for key, child in node.members.items()}
    if node.items is not None:
        text[ITEMS] = _written(node.items)
    text["nodeType"] = node.kind
    if node.header is not None:
        text["headerNames"] = node.header
    return text | ({"type": "parent"} if node.is_extra else {})


def _read(raw: Any, path: str) -> Node:
    values = _map(raw, path)
    kind = values.get("nodeType", "scalar" if values.get("type") == "parent" else None)
    if kind not in get_args(Kind):
        raise _malformed(path, "its `nodeType` is missing or unknown")
    node = Node(cast(Kind, kind))
    node.header = values.get("headerNames")
    node.is_extra = values.get("type") == "parent"
    for key, value in values.items():
        if key == ITEMS:
            node.items = _read(value, f"{path}.{key}")
        elif key.startswith("_"):
            node.members[key[1:]] = _read(value, f"{path}.{key}")
    return node


def _map(value: Any, path: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return cast(dict[str, Any], value)
    raise _malformed(path, "it is not a map")


def _malformed(path: str, reason: str) -> UserError:
    return UserError(
        f"The state cannot be read: `json_parser.struct` is wrong at `{path}`, {reason}. "
        "Delete `json_parser.struct` from the state to start afresh."
    )
