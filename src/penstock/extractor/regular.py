"""Configurations in the wild are looser than types: `[]` for `{}`, null for absent. Here they become regular."""

from __future__ import annotations

from typing import Any, cast

EMPTY_MEANS_ABSENT = ("pagination", "dataField", "dataType", "outputBucket")
MAPS = ("parameters", "api", "config", "pagination", "params", "http")


def regular(value: Any) -> Any:
    """The same document without nulls, and with maps where maps belong."""
    if isinstance(value, list):
        return [regular(item) for item in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    members = cast(dict[str, Any], value)
    return {key: _member(key, item) for key, item in members.items() if not _is_absent(key, item)}


def _is_absent(key: str, value: Any) -> bool:
    return value is None or (key in EMPTY_MEANS_ABSENT and not value)


def _member(key: str, value: Any) -> Any:
    if key in MAPS and isinstance(value, list):
        value = {str(index): item for index, item in enumerate(cast(list[Any], value))}
    return regular(value)
