"""Single settings out of a raw map: what is written as text, number or flag, however loosely."""

from __future__ import annotations

from typing import Any

from penstock.extractor.complaints import invalid
from penstock.extractor.values import as_map, is_empty, text_of

_FLAGS = {"true": True, "1": True, "false": False, "0": False, "": False}


def read_text(section: dict[str, Any], key: str, path: str) -> str:
    """Empty when it is not set; a number counts as its text."""
    value = section.get(key)
    if isinstance(value, (dict, list)) and value:
        raise invalid("Expected a text, got an object or an array", f"{path}.{key}")
    return "" if is_empty(value) and value != "0" else text_of(value)


def read_texts(value: Any, path: str) -> tuple[str, ...]:
    """One text, or a list of them."""
    if is_empty(value):
        return ()
    items = as_map(value) if isinstance(value, (dict, list)) else {"": value}
    return tuple(read_text({"": item}, "", path) for item in items.values())


def read_flag(section: dict[str, Any], key: str, path: str) -> bool:
    value = section.get(key)
    flag = _FLAGS.get(text_of(value).lower()) if not isinstance(value, (dict, list)) else None
    if flag is None:
        raise invalid(f"Expected true or false, got {value!r}", f"{path}.{key}")
    return flag


def read_seconds(value: Any, default: float) -> float:
    """A number or its text; anything else, zero included, means the default."""
    try:
        seconds = 0.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return default
    return seconds if 0 < seconds < 1e9 else default
