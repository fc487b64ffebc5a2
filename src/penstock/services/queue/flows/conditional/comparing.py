"""When one value equals, exceeds or contains another.

Variables are texts and results of jobs may be numbers, so a number and a text with that number in it are equal. What
cannot be compared is not equal, not greater and not less.
"""

from __future__ import annotations

import math
from typing import Any, cast


class StatusWord(str):
    """How something ended, `error`, which also answers to a finer name: `user_error`."""

    finer: str

    def __new__(cls, word: str, finer: str = "") -> StatusWord:
        made = super().__new__(cls, word)
        made.finer = finer or word
        return made


def is_equal(one: Any, other: Any) -> bool:
    if (isinstance(one, StatusWord) and other == one.finer) or (isinstance(other, StatusWord) and one == other.finer):
        return True
    if isinstance(one, bool) or isinstance(other, bool):
        return to_text(one) == to_text(other)
    numbers = to_number(one), to_number(other)
    if None not in numbers and not (isinstance(one, str) and isinstance(other, str)):
        return numbers[0] == numbers[1]
    return bool(one == other)


def is_greater(one: Any, other: Any) -> bool:
    """Numbers as numbers; other texts, such as dates, letter by letter."""
    numbers = to_number(one), to_number(other)
    if numbers[0] is not None and numbers[1] is not None:
        return numbers[0] > numbers[1]
    return isinstance(one, str) and isinstance(other, str) and one > other


def contains(one: Any, other: Any) -> bool:
    """A list contains an item and a text a part of it, whichever of the two is written first."""
    if isinstance(one, list):
        return any(is_equal(item, other) for item in cast(list[Any], one))
    if isinstance(other, list):
        return contains(cast(Any, other), one)
    return isinstance(one, str) and other is not None and to_text(other) in one


def is_true(value: Any) -> bool:
    return value not in ("false", "0") and bool(value)


def to_number(value: Any) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value) if isinstance(value, str) else value
        return number if math.isfinite(number) else None
    except (ValueError, OverflowError):
        return None


def to_text(value: Any) -> str:
    """Return the value as variables hold it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
