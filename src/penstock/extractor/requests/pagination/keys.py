"""The keys of a record, for messages about a path that leads nowhere."""

from __future__ import annotations

from typing import Any, cast

MAX_SHOWN = 10


def keys_of(record: Any) -> str:
    """A sentence to be added to a message; empty for a record without keys."""
    keys = list(cast(dict[str, Any], record)) if isinstance(record, dict) else []
    return f" The record has the keys {', '.join(f'`{key}`' for key in keys[:MAX_SHOWN])}." if keys else ""
