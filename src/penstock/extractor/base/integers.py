"""Whole numbers from configurations and responses, which may write them as text.

Every number returned here is short enough to be converted to text again, whatever is added to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

MAX_TEXT_LENGTH = 1000
MAX_BITS = 6644
"""About two thousand digits: the longest text with the largest exponent."""
MAX_LIMIT = 2**63 - 1

_NUMBER = r"[ \t\n\r\v\f]*[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?0*[0-9]{1,3})?"


def integer_part(value: Any) -> int | None:
    """Returns the whole part of a number, or of a text that is one; None for anything else, booleans included."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value.bit_length() <= MAX_BITS else None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else None
    is_number = isinstance(value, str) and len(value) <= MAX_TEXT_LENGTH and re.fullmatch(_NUMBER, value)
    return int(Decimal(value.strip())) if is_number else None


def integer_parts(values: Sequence[Any]) -> Sequence[int | None]:
    """Returns the whole part of each; the same sequence if all are whole numbers, as ids mostly are."""
    if set(map(type, values)) == {int} and max(map(int.bit_length, values)) <= MAX_BITS:
        return values
    return list(map(integer_part, values))


def exact_integer(value: Any) -> int | None:
    """Returns the same, but None for a number with a fraction."""
    integer = integer_part(value)
    return integer if integer is not None and Decimal(str(value).strip()) == integer else None


def leading_integer(value: Any) -> int:
    """Returns the number that a value starts with, as the original casts it: 0 for any other text, 1 for any other
    value that is not empty."""
    if isinstance(value, str):
        match = re.match(_NUMBER, value[:MAX_TEXT_LENGTH])
        return _limited(int(Decimal(match[0].strip()))) if match else 0
    if isinstance(value, int):
        return _limited(int(value))
    return int(isinstance(value, dict) or bool(value))


def _limited(number: int) -> int:
    return max(-MAX_LIMIT, min(number, MAX_LIMIT))
