"""Values of requests: user parameters, functions, and `[[column]]` in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import evaluate, flat
from penstock.extractor.base.values import as_map, text_of

_PLACEHOLDER = re.compile(r"\[\[\s*([^\[\]]{1,255}?)\s*\]\]")


def resolve_parameters(raw: dict[str, Any]) -> dict[str, Any]:
    """In order, so that each may refer to earlier ones."""
    known: dict[str, Any] = {}
    for name, value in raw.items():
        known[name] = resolve(value, known)
    return known


def resolve(value: Any, parameters: Mapping[str, Any]) -> Any:
    """`{"attr": …}` is a user parameter, `{"function": …}` the result of a function; other values are unchanged."""
    if not isinstance(value, dict):
        return value
    return evaluate(cast(dict[str, Any], value), {"attr": flat(dict(parameters))})


def resolve_map(raw: Any, parameters: Mapping[str, Any]) -> dict[str, str]:
    """Headers or query parameters: a map, or a list of `{"key": …, "value": …}` in older configurations."""
    named = as_map(raw)
    if isinstance(raw, list):
        items = [as_map(item) for item in cast(list[Any], raw)]
        named = {text_of(item.get("key")): item.get("value") for item in items}
    return {name: text_of(resolve(value, parameters)) for name, value in named.items()}


def fill(text: str, row: Mapping[str, str], write: Callable[[str], str] = str) -> str:
    """The text with `[[column]]` replaced by the row's values."""

    def value_of(found: re.Match[str]) -> str:
        if found[1] not in row:
            raise UserError(
                f"The placeholder [[{found[1]}]] is not one of `request_content.iterate_by_columns` "
                f"({', '.join(row) or 'which is empty'})."
            )
        return write(row[found[1]])

    return _PLACEHOLDER.sub(value_of, text)
