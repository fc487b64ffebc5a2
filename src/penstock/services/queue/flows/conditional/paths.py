"""Paths into what is known of a task: JMESPath, or plain names with dots between them, which may be numbers."""

from __future__ import annotations

import re
from typing import Any, cast

import jmespath  # pyright: ignore[reportMissingTypeStubs]
from jmespath.exceptions import JMESPathError  # pyright: ignore[reportMissingTypeStubs]

from penstock.services.queue.flows.errors import WrongFlow

CHARACTERS = 2000
_PLAIN = re.compile(r"[\w-]+(\.[\w-]+)*")
_FAULTS = (JMESPathError, ValueError, TypeError, ArithmeticError, AttributeError, LookupError, RecursionError)


def is_path(path: str) -> bool:
    return len(path) <= CHARACTERS and (_is_jmespath(path) or bool(_PLAIN.fullmatch(path)))


def find_value(document: dict[str, Any], path: str) -> Any:
    """What a path leads to; nothing if there is nothing."""
    if not _is_jmespath(path):
        return _walk(document, path.split("."))
    try:
        return cast(Any, jmespath).search(path, document)
    except _FAULTS as error:
        raise WrongFlow("value", f'"{path[:100]}" cannot be followed here: {error}.') from error


def _is_jmespath(path: str) -> bool:
    try:
        cast(Any, jmespath).compile(path)
    except _FAULTS:
        return False
    return True


def _walk(node: Any, names: list[str]) -> Any:
    for name in names:
        if isinstance(node, dict):
            node = cast(dict[str, Any], node).get(name)
        elif isinstance(node, list) and name.isdecimal() and int(name) < len(cast(list[Any], node)):
            node = cast(list[Any], node)[int(name)]
        else:
            return None
    return node
