"""Which values of a document are secret: those under keys that start with `#`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

_SHORTEST_LINE = 8


def secrets_of(node: Any, *, is_secret: bool = False) -> Iterator[str]:
    """At any depth, also in a secret that is a document itself."""
    if isinstance(node, dict):
        for key, value in cast(dict[str, Any], node).items():
            yield from secrets_of(value, is_secret=is_secret or key.startswith("#"))
    elif isinstance(node, list):
        for value in cast(list[Any], node):
            yield from secrets_of(value, is_secret=is_secret)
    elif is_secret and node is not None and not isinstance(node, bool):
        yield str(node)
        yield from _inside(str(node))
        yield from _lines(str(node))


def _inside(text: str) -> Iterator[str]:
    """The texts of a secret that is itself a JSON document, such as the data of an OAuth authorization."""
    if text[:1] not in ("{", "["):
        return
    try:
        yield from secrets_of(json.loads(text), is_secret=True)
    except (ValueError, RecursionError):
        return


def _lines(text: str) -> list[str]:
    """Of a secret with several lines, such as a private key: logs are looked at line by line."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if len(line) >= _SHORTEST_LINE] if len(lines) > 1 else []
