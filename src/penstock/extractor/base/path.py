"""Dotted paths into a document, `members.0.items`, and the keys of a record for messages about a path without a
value."""

from __future__ import annotations

from typing import Any, cast

MAX_SHOWN = 10


class NotFound(Exception):
    """There is nothing at a path."""


def look_up(path: str, value: Any, delimiter: str = ".") -> Any:
    """Returns None when a step is missing; the delimiter alone is the value itself."""
    try:
        return get(path, value, delimiter)
    except NotFound:
        return None


def get(path: str, value: Any, delimiter: str = ".") -> Any:
    """Raises NotFound when a step is missing; a null in an object is found, one in a list is not."""
    if path == delimiter:
        return value
    for key in path.split(delimiter):
        if isinstance(value, dict) and key in value:
            value = cast(dict[str, Any], value)[key]
        elif isinstance(value, list):
            value = _item(cast(list[Any], value), key)
        else:
            raise NotFound(path)
    return value


def _item(items: list[Any], key: str) -> Any:
    is_there = key.isascii() and key.isdigit() and len(key) < 16 and str(int(key)) == key and int(key) < len(items)
    item = items[int(key)] if is_there else None  # once: an item of a large list is read from a file
    if item is None:
        raise NotFound(key)
    return item


def explain_keys(record: Any) -> str:
    """Returns a sentence to be added to a message; empty for a record without keys."""
    keys = list(cast(dict[str, Any], record)) if isinstance(record, dict) else []
    return f" The record has the keys {', '.join(f'`{key}`' for key in keys[:MAX_SHOWN])}." if keys else ""
