"""Numbers without rounding: a decimal is stored as its source text, because a binary float would change its digits.

A cell shows a decimal of up to 14 significant digits in the plain form of the original extractor (`1.50` is `1.5`,
`1e5` is `100000`); one with more digits, which that form would round, is written as it was sent.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation

SHOWN_DIGITS, EXACT_DIGITS = 14, 17
_ALREADY_PLAIN = re.compile(r"-?(?!0\.0000)[0-9]+\.[0-9]*[1-9]").fullmatch
_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?").fullmatch
_POWERS = range(-307, 309)


class Float(str):
    """The source text of a JSON number with a fraction or an exponent."""

    __slots__ = ()


def show_float(number: str) -> str:
    """Returns the text of a cell."""
    if _ALREADY_PLAIN(number):
        return str(number)
    sign, figures, power = _parts(number)
    if not figures:
        return f"{sign}0"
    is_exact = len(figures) <= SHOWN_DIGITS and power in _POWERS
    return _plain(sign, figures, power, SHOWN_DIGITS) if is_exact else str(number)


def serialized_float(number: str | int) -> str:
    """Returns the 17 digits of the nearest binary float, which identify a row."""
    try:
        value = float(number)
    except OverflowError:
        value = math.inf if int(number) > 0 else -math.inf
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    text = f"{value:.{EXACT_DIGITS}g}"
    if "e" not in text:
        return text
    return _plain(*_parts(text), EXACT_DIGITS)


def exact_float(number: str) -> str:
    """Returns the 17 digits where they are exact, otherwise the source text: `0.5`, and `0.1` instead of `0.10…01`."""
    text = serialized_float(number).replace("E", "e")
    try:
        return text if Decimal(text) == Decimal(number) else str(number)
    except InvalidOperation:
        return str(number)


def _parts(number: str) -> tuple[str, str, int]:
    """Returns the sign, the significant figures, and the power of ten of the first of them."""
    match = _PARTS(number)
    if not match:
        raise ValueError(f"not a decimal: {number!r}")
    sign, integer, fraction, exponent = match.groups(default="")
    digits = (integer + fraction).lstrip("0")
    power = len(digits) - len(fraction) - 1 + _bounded(exponent)
    return sign, digits.rstrip("0"), power


def _bounded(exponent: str) -> int:
    # An exponent of seven digits exceeds every float; a longer one could be too long for int().
    return int(exponent[:7] or 0)


def _plain(sign: str, figures: str, power: int, digits: int) -> str:
    """Writes the number in full from 0.0001 up to as many places as digits, beyond that with an exponent: `1.0E+15`,
    `1.2E-5`."""
    if -4 <= power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{figures}"
    if not 0 <= power < digits:
        return f"{sign}{figures[0]}.{figures[1:] or '0'}E{power:+d}"
    integer, fraction = figures[: power + 1].ljust(power + 1, "0"), figures[power + 1 :]
    return f"{sign}{integer}.{fraction}" if fraction else sign + integer
