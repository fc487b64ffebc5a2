"""Values of requests: user parameters, functions, and `[[column]]` in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import evaluate, flat
from penstock.extractor.base.values import as_map, to_text

_PLACEHOLDER = re.compile(r"\[\[\s*([^\[\]]{1,255}?)\s*\]\]")


def resolve_parameters(raw: dict[str, Any]) -> dict[str, Any]:
    """Resolves the parameters in order, so that each may refer to earlier ones."""
    resolved: dict[str, Any] = {}
    for name, value in raw.items():
        resolved[name] = resolve(value, resolved)
    return resolved


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
        named = {to_text(item.get("key")): item.get("value") for item in items}
    return {name: to_text(resolve(value, parameters)) for name, value in named.items()}


def fill(text: str, row: Mapping[str, str], write: Callable[[str], str] = str) -> str:
    """Returns the text with `[[column]]` replaced by the row's values."""

    def value_of(match: re.Match[str]) -> str:
        if match[1] not in row:
            raise UserError(
                f"The placeholder [[{match[1]}]] is not one of `request_content.iterate_by_columns` "
                f"({', '.join(row) or 'which is empty'})."
            )
        return write(row[match[1]])

    return _PLACEHOLDER.sub(value_of, text)
