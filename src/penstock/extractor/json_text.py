"""JSON text of a decoded value, as the original writes it into a cell: compact, ASCII, `/` escaped."""

from __future__ import annotations

import json
from typing import Any, cast

from penstock.extractor.numbers import Float

_TEXT = json.JSONEncoder(ensure_ascii=True).encode


def json_text(value: Any) -> str:
    """Numbers keep the digits of their source."""
    if isinstance(value, Float):
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(map(json_text, cast(list[Any], value)))}]"
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return f"{{{','.join(f'{json_text(key)}:{json_text(item)}' for key, item in members.items())}}}"
    return _TEXT(value).replace("/", "\\/")
