"""Which values of a configuration are derived from secrets: those that refer to an attribute under a `#` key, through
any functions. The hash of a secret cannot be found by searching for the secret, so the expression is examined."""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.base.functions.contexts import flat
from penstock.extractor.base.values import text_of

MARK = "#"
_REFERENCE = "attr"


def comes_from_secret(value: Any) -> bool:
    """Whether an expression, before it is evaluated, refers to a secret."""
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
    """The texts that an evaluated value is sent as."""
    return [text_of(leaf) for leaf in flat({"": value}).values() if leaf is not None]


def private_texts(expressions: dict[str, Any], values: dict[str, Any]) -> tuple[str, ...]:
    """The texts of evaluated values whose expressions refer to a secret."""
    private = [name for name, expression in expressions.items() if comes_from_secret({name: expression})]
    return tuple(text for name in private for text in texts_in(values.get(name)))


def _is_secret(key: str, value: Any) -> bool:
    """Whether a member of an expression is a secret, or a reference to one."""
    is_reference = key == _REFERENCE and isinstance(value, str)
    return key.startswith(MARK) or (is_reference and any(part.startswith(MARK) for part in value.split(".")))
