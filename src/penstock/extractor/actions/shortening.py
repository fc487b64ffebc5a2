"""Shortens JSON for a screen: the first items of each array, with the number that it had."""

from __future__ import annotations

from typing import Any, cast

MOST_ITEMS = 20


def shorten(value: Any) -> tuple[Any, list[dict[str, Any]]]:
    """The value, and `path` and `length` of each array that was shortened."""
    lengths: list[dict[str, Any]] = []
    return _shorten(value, (), lengths), lengths


def _shorten(value: Any, path: tuple[str | int, ...], lengths: list[dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        members = cast(dict[str, Any], value).items()
        return {key: _shorten(member, (*path, key), lengths) for key, member in members}
    if not isinstance(value, list):
        return value
    items = cast(list[Any], value)
    if len(items) > MOST_ITEMS:
        lengths.append({"path": list(path), "length": len(items)})
    return [_shorten(item, (*path, at), lengths) for at, item in enumerate(items[:MOST_ITEMS])]
