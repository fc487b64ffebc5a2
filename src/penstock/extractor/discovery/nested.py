"""Arrays within records: each becomes a table of its own."""

from __future__ import annotations

from typing import Any, cast


def nested_arrays(records: list[Any]) -> list[str]:
    """The paths of arrays of the records, in the order in which they are seen."""
    found: dict[str, None] = {}
    for record in records:
        _collect(record, "", found)
    return list(found)


def _collect(value: Any, path: str, found: dict[str, None]) -> None:
    if not isinstance(value, dict):
        return
    for key, member in cast(dict[str, Any], value).items():
        below = f"{path}.{key}" if path else key
        if isinstance(member, list) and member:
            found[below] = None
        else:
            _collect(member, below, found)
