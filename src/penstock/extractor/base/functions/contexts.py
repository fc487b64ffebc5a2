"""The values that references may name: `{"attr": "server.address"}` is a leaf of the context `attr`, by its path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from penstock.extractor.base.values import as_map

Contexts = Mapping[str, Mapping[str, Any]]
"""The name of a context, and its leaves by their dotted paths."""


def flat(context: Mapping[str, Any]) -> dict[str, Any]:
    """All leaves by their dotted paths, in order; items of lists by their index."""
    leaves: dict[str, Any] = {}
    pending: list[tuple[str, Any]] = list(context.items())[::-1]
    # With a stack instead of recursion: the response to a login may be nested more deeply than Python can recurse.
    while pending:
        path, value = pending.pop()
        if isinstance(value, (dict, list)):
            members = [(f"{path}.{key}", member) for key, member in as_map(cast(Any, value)).items()]
            pending += reversed(members)
        else:
            leaves[path] = value
    return leaves
