"""What references may ask for: `{"attr": "server.address"}` names a leaf of the context `attr`, nested with dots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from penstock.extractor.values import as_map

Contexts = Mapping[str, Mapping[str, Any]]
"""The name of a context, and its leaves by their dotted paths."""


def flat(context: Mapping[str, Any]) -> dict[str, Any]:
    """Every leaf by its dotted path, in order; items of lists by their index. What is empty has no leaves."""
    leaves: dict[str, Any] = {}
    pending: list[tuple[str, Any]] = list(context.items())[::-1]
    # A stack of our own: a login's response may be nested deeper than calls of Python may be.
    while pending:
        path, value = pending.pop()
        if isinstance(value, (dict, list)):
            members = [(f"{path}.{key}", member) for key, member in as_map(cast(Any, value)).items()]
            pending += reversed(members)
        else:
            leaves[path] = value
    return leaves
