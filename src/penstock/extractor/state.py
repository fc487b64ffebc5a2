"""What the next run must know: when this one started, and what the records looked like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.extractor.records.struct import VERSION, read_struct, write_struct
from penstock.extractor.records.tree import Tree

STRUCT, STRUCT_VERSION = "json_parser.struct", "json_parser.structVersion"


def read_state(path: Path, log: Log) -> dict[str, Any]:
    """An empty state when there is none, or none that can be read."""
    if not path.exists():
        return {}
    try:
        state = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.warning(f"The state {path.name} is not valid JSON and is not used: {error}")
        return {}
    if isinstance(state, dict):
        return cast(dict[str, Any], state)
    if state:
        log.warning(f"The state {path.name} is not an object and is not used.")
    return {}


def known_tree(state: dict[str, Any]) -> Tree:
    """The records as earlier runs saw them."""
    struct = state.get(STRUCT)
    if struct and str(state.get(STRUCT_VERSION)) in ("2", "2.0"):
        raise UserError(
            f"This version does not support the state of the legacy parser (`{STRUCT_VERSION}` 2) yet. "
            "Reset the state to go on with the current parser; column names may change."
        )
    return read_struct(struct)


def next_state(state: dict[str, Any], tree: Tree, started: int) -> dict[str, Any]:
    time = cast(dict[str, Any], state.get("time")) if isinstance(state.get("time"), dict) else {}
    kept = {key: value for key, value in time.items() if key != "currentStart"}
    return {
        **state,
        "time": {**kept, "previousStart": started},
        STRUCT: write_struct(tree),
        STRUCT_VERSION: VERSION,
    }


def state_text(state: dict[str, Any]) -> str:
    return json.dumps(state, separators=(",", ":")).replace("/", "\\/")
