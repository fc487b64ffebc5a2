"""The values that references may name, `{"attr": "server.address"}` is a leaf of the context `attr` by its path, and
which values are derived from secrets.

A value is derived from a secret if it refers to an attribute under a `#` key, through any functions. The hash of a
secret cannot be found by searching for the secret, so the expression is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from penstock.extractor.base.values import as_map, to_text

Contexts = Mapping[str, Mapping[str, Any]]
"""The name of a context, and its leaves by their dotted paths."""


MARK = "#"
_REFERENCE = "attr"


def flat(context: Mapping[str, Any]) -> dict[str, Any]:
    """Returns all leaves by their dotted paths, in order; items of lists by their index."""
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


def comes_from_secret(value: Any) -> bool:
    """Returns whether an expression, before it is evaluated, refers to a secret."""
    pending: list[Any] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            members = cast(dict[str, Any], node)
            if any(_is_secret(key, inner) for key, inner in members.items()):
                return True
            pending += members.values()
        elif isinstance(node, list):
            pending += cast(list[Any], node)
    return False


def texts_in(value: Any) -> list[str]:
    """Returns the texts that an evaluated value is sent as."""
    return [to_text(leaf) for leaf in flat({"": value}).values() if leaf is not None]


def private_texts(expressions: dict[str, Any], values: dict[str, Any]) -> tuple[str, ...]:
    """Returns the texts of evaluated values whose expressions refer to a secret."""
    private = [name for name, expression in expressions.items() if comes_from_secret({name: expression})]
    return tuple(text for name in private for text in texts_in(values.get(name)))


def _is_secret(key: str, value: Any) -> bool:
    """Returns whether a member of an expression is a secret, or a reference to one."""
    is_reference = key == _REFERENCE and isinstance(value, str)
    return key.startswith(MARK) or (is_reference and any(part.startswith(MARK) for part in value.split(".")))
