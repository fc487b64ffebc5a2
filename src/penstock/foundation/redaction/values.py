"""Which values of a document are secret: those under keys that start with `#`, and of variables with such names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

_MIN_LINE = 8


def secret_keys(members: dict[str, Any]) -> set[str]:
    """The secret keys of an object: its `#` keys, and `value` beside a `name` that starts with `#`, as in variables."""
    keys = {key for key in members if key.startswith("#")}
    name = members.get("name")
    return keys | {"value"} if isinstance(name, str) and name.startswith("#") else keys


def holds_secrets(node: Any) -> bool:
    """Whether it contains a secret key, at any depth."""
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        return bool(secret_keys(members)) or any(map(holds_secrets, members.values()))
    return isinstance(node, list) and any(map(holds_secrets, cast(list[Any], node)))


def hide_values(
    node: Any, word: str, *, is_secret: bool = False, keeps: Callable[[Any], bool] = lambda _value: False
) -> Any:
    """The same document with a word in place of each secret, except those that it `keeps`, such as encrypted ones."""
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        hidden = secret_keys(members)
        return {
            key: hide_values(value, word, is_secret=is_secret or key in hidden, keeps=keeps)
            for key, value in members.items()
        }
    if isinstance(node, list):
        return [hide_values(value, word, is_secret=is_secret, keeps=keeps) for value in cast(list[Any], node)]
    return word if is_secret and not keeps(node) else node


def secrets_of(node: Any, *, is_secret: bool = False) -> Iterator[str]:
    """Yield secrets at any depth, also in a secret that is a document itself."""
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        hidden = secret_keys(members)
        for key, value in members.items():
            yield from secrets_of(value, is_secret=is_secret or key in hidden)
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
    """The lines of a secret with several, such as a private key: logs are searched line by line."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if len(line) >= _MIN_LINE] if len(lines) > 1 else []
