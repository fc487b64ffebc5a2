"""Dotted paths into a document: `members.0.items`."""

from __future__ import annotations

from typing import Any, cast


def look_up(path: str, value: Any, delimiter: str = ".") -> Any:
    """None when a step is missing; the delimiter alone is the value itself."""
    if path == delimiter:
        return value
    for key in path.split(delimiter):
        if isinstance(value, dict):
            value = cast(dict[str, Any], value).get(key)
        elif isinstance(value, list):
            value = _item(cast(list[Any], value), key)
        else:
            return None
    return value


def _item(items: list[Any], key: str) -> Any:
    is_there = key.isascii() and key.isdigit() and len(key) < 16 and int(key) < len(items)
    return items[int(key)] if is_there else None
