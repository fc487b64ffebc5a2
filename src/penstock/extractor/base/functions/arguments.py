"""Converts the arguments of functions to texts, numbers and lists, or raises WrongArgument.

Texts are processed as UTF-8 bytes. Bytes that are not text (a raw hash) are represented as surrogates, without loss,
until another function converts them to text.
"""

from __future__ import annotations

import math
import re
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.base.values import is_list, to_text

MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1
_NUMBER = r"[ \t\n\r\v\f]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"


class WrongArgument(UserError):
    """What is wrong with an argument; the caller adds the function. It does not show the value, which may be secret."""


def text(value: Any) -> str:
    if isinstance(value, (dict, list)):
        raise WrongArgument("needs a text or a number, not a list or an object")
    return to_text(value)


def raw(value: Any) -> bytes:
    try:
        return text(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise WrongArgument("got half of a character") from error


def from_raw(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def integer(value: Any) -> int:
    """Returns the whole part of a number, or of a text that is one; null is 0."""
    if _is_text(value) and not re.fullmatch(_NUMBER, value):
        raise WrongArgument("needs a number, not another text")
    number = _number(value)
    if not MIN_INTEGER <= number <= MAX_INTEGER:
        raise WrongArgument("needs a number of at most 64 bits")
    return int(number)


def loose_integer(value: Any) -> int:
    """Returns the number that a text begins with, otherwise 0; beyond 64 bits a text is clamped, and a number wraps
    around."""
    number = _number(value)
    if _is_text(value):
        return int(min(max(number, MIN_INTEGER), MAX_INTEGER))
    return 0 if isinstance(number, float) and math.isinf(number) else _wrapped(int(number))


def loose_float(value: Any) -> float:
    try:
        return float(_number(value))
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def listed(value: Any) -> list[Any]:
    """Returns a list, or the values of an object whose keys are 0, 1, …"""
    if isinstance(value, list):
        return cast(list[Any], value)
    if is_list(value):
        return list(cast(dict[str, Any], value).values())
    raise WrongArgument("needs a list")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Float)


def _number(value: Any) -> int | float:
    if isinstance(value, (dict, list)):
        raise WrongArgument("needs a number, not a list or an object")
    if not isinstance(value, str):
        return value or 0
    match = re.match(_NUMBER, value)
    figures = match[1] if match else "0"
    # Whole numbers are exact, unless they are very long.
    return int(figures) if figures.lstrip("+-").isdigit() and len(figures) < 40 else float(figures)


def _wrapped(number: int) -> int:
    return (number - MIN_INTEGER) % 2**64 + MIN_INTEGER
