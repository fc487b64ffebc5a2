"""What counts as empty, as text and as a list in configurations, by the rules of PHP that they rely on.

A configuration does not distinguish `{}` from `[]`, and zero, `"0"` and false mean "not set" nearly everywhere. In
responses objects and lists are distinct, and an object is never empty.
"""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float, show_float

TYPE_NAMES: dict[type, str] = {
    type(None): "NULL",
    bool: "boolean",
    int: "integer",
    float: "double",
    Float: "double",
    str: "string",
    list: "array",
    dict: "array",
}
"""The names of types in messages about a configuration."""


def is_empty(value: Any) -> bool:
    """Returns whether a value in a configuration means "not set"."""
    if isinstance(value, Float):
        return float(value) == 0
    return value in ("", "0") if isinstance(value, str) else not value


def is_empty_value(value: Any) -> bool:
    """Returns the same for a value in a response, where `{}` is not empty."""
    return not isinstance(value, dict) and is_empty(value)


def to_text(value: Any) -> str:
    """Returns the value as a text; raises UserError for an object."""
    if value is None or value is False:
        return ""
    if value is True:
        return "1"
    if isinstance(value, Float):
        return show_float(value)
    if isinstance(value, float):
        return show_float(repr(value))
    if isinstance(value, list):
        return "Array"
    if isinstance(value, dict):
        raise UserError("An object stands where a text or a number is needed.")
    return str(value)


def as_map(value: Any) -> dict[str, Any]:
    """Returns a value of a configuration as a map: of a list the keys are its indexes; anything else becomes an empty
    map."""
    if isinstance(value, dict):
        return cast(dict[str, Any], value)
    if isinstance(value, list):
        return {str(index): item for index, item in enumerate(cast(list[Any], value))}
    return {}


def is_list(value: Any) -> bool:
    """Returns whether a value counts as a list in a configuration: also a map whose keys are `0`, `1`, … in order."""
    if not isinstance(value, dict):
        return isinstance(value, list)
    return all(key == str(index) for index, key in enumerate(cast(dict[str, Any], value)))


def deep_replace(old: Any, new: Any) -> Any:
    """Merges maps and lists at every depth: old keys keep their position, new values win."""
    if not isinstance(old, (dict, list)) or not isinstance(new, (dict, list)):
        return new
    merged, added = as_map(old), as_map(new)
    keys = [*merged, *(key for key in added if key not in merged)]
    replaced = {key: deep_replace(merged.get(key), added[key]) if key in added else merged[key] for key in keys}
    return list(replaced.values()) if isinstance(old, list) and isinstance(new, list) else replaced


def as_json(value: Any, *, keeps_objects: bool = False) -> Any:
    """Returns a value of a configuration as it is sent as JSON: a map that counts as a list becomes one, even an empty
    map unless it `keeps_objects`."""
    if isinstance(value, list):
        return [as_json(item, keeps_objects=keeps_objects) for item in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    members = {key: as_json(item, keeps_objects=keeps_objects) for key, item in cast(dict[str, Any], value).items()}
    is_kept = keeps_objects and not members
    return list(members.values()) if is_list(members) and not is_kept else members
