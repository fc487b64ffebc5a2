"""Whether an event fulfils the filters of a subscription.

Values are compared as numbers if one of them is a number and the other one reads as one, so that `0.2` and `"0.2"` are
the same filter; all others are compared as texts. A field that the payload does not have fulfils only `!=`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from penstock.services.notification.models import Filter, Operator, Scalar

COMPARE: dict[Operator, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_NUMBER_CHARACTERS = 40


def all_match(filters: Iterable[Filter], payload: dict[str, Any]) -> bool:
    return all(matches(each, payload) for each in filters)


def matches(event_filter: Filter, payload: dict[str, Any]) -> bool:
    found = find_value(payload, event_filter.field)
    if found is None:
        return event_filter.operator == "!="
    left, right = _comparable(found, event_filter.value, is_ordered=event_filter.operator not in ("==", "!="))
    return COMPARE[event_filter.operator](left, right)


def find_value(payload: dict[str, Any], field: str) -> Scalar | None:
    """The value at a dotted path; None if there is none, or a list or an object."""
    found: Any = payload
    for name in field.split("."):
        found = cast(dict[str, Any], found).get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str | int | float | bool) else None


def _comparable(left: Scalar, right: Scalar, *, is_ordered: bool) -> tuple[Any, Any]:
    """Two texts are compared as numbers only by their order: the ids "1" and "01" differ."""
    if is_ordered or _is_number(left) or _is_number(right):
        numbers = _to_number(left), _to_number(right)
        if None not in numbers:
            return numbers
    return _to_text(left), _to_text(right)


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _to_number(value: Scalar) -> Decimal | None:
    if isinstance(value, bool):
        return None
    text = str(value)
    try:
        number = Decimal(text) if len(text) <= _NUMBER_CHARACTERS else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() else None


def _to_text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
