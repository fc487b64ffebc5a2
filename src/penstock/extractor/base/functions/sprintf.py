"""`sprintf` of PHP: `%05.1f`, `%'*10s`, `%2$d of %1$s`; widths count bytes, and the last padding wins."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from penstock.extractor.base.functions.arguments import WrongArgument, from_raw, loose_float, loose_integer, raw

MAX_BYTES = 1_000_000
"""The largest width; a result may be ten times as long."""
_DIGITS, _MAX_DIGITS = 6, 53

_DIRECTIVE = re.compile(
    rb"%(?:(?P<position>[0-9]+)\$)?(?P<flags>(?:[-+ 0]|'.)*)(?P<width>[0-9]*)(?:\.(?P<precision>[0-9]*))?"
    rb"l?(?P<conversion>.)?",
    re.DOTALL,
)


class Directive(msgspec.Struct, frozen=True):
    """The part of a directive between `%` and the letter."""

    padding: bytes
    is_left: bool
    has_sign: bool
    width: int
    precision: int | None

    def padded(self, text: bytes) -> bytes:
        return text.ljust(self.width, self.padding) if self.is_left else text.rjust(self.width, self.padding)

    def padded_integer(self, text: bytes) -> bytes:
        """Spaces instead of zeros after a whole number, which zeros would change."""
        is_wrong = self.is_left and self.padding == b"0"
        return text.ljust(self.width) if is_wrong else self.padded_number(text)

    def padded_number(self, text: bytes) -> bytes:
        """Zeros are inserted between the sign and the digits."""
        has_sign = text[:1] in (b"-", b"+")
        if self.padding != b"0" or self.is_left or not has_sign:
            return self.padded(text)
        return text[:1] + text[1:].rjust(self.width - 1, b"0")

    def signed(self, text: str) -> bytes:
        return (f"+{text}" if self.has_sign and not text.startswith("-") else text).encode()


def sprintf(template: str, *values: Any) -> str:
    source, output, at, used = raw(template), bytearray(), 0, 0
    while (start := source.find(b"%", at)) >= 0:
        output += source[at:start]
        if source[start + 1 : start + 2] == b"%":
            output += b"%"
            at = start + 2
            continue
        match = _DIRECTIVE.match(source, start)
        assert match
        position = _position(match, used)
        used += match["position"] is None
        output += _rendered(match, values, position)
        if len(output) > MAX_BYTES * 10:
            raise WrongArgument(f"makes a text of more than {MAX_BYTES * 10} bytes")
        at = match.end()
    return from_raw(bytes(output + source[at:]))


def _position(match: re.Match[bytes], used: int) -> int:
    if match["position"] is None:
        return used
    position = _number(match["position"])
    if position < 1:
        raise WrongArgument("counts its arguments from 1")
    return position - 1


def _rendered(match: re.Match[bytes], values: Sequence[Any], position: int) -> bytes:
    if position >= len(values):
        raise WrongArgument(f"has {len(values)} values for its format, which asks for {position + 1}")
    letter = (match["conversion"] or b"").decode("latin-1")
    if not letter:
        raise WrongArgument("has a format that ends within a directive")
    # An unknown letter gives nothing.
    return CONVERSIONS[letter](_directive(match), values[position]) if letter in CONVERSIONS else b""


def _directive(match: re.Match[bytes]) -> Directive:
    padding, is_left, has_sign = b" ", False, False
    flags = re.findall(rb"'.|.", match["flags"], re.DOTALL)
    for flag in flags:
        is_left = is_left or flag == b"-"
        has_sign = has_sign or flag == b"+"
        padding = flag[-1:] if flag not in (b"-", b"+") else padding
    precision = _number(match["precision"]) if match["precision"] else None
    return Directive(padding, is_left, has_sign, _number(match["width"] or b"0"), precision)


def _number(figures: bytes) -> int:
    if len(figures) > 9 or int(figures) > MAX_BYTES:
        raise WrongArgument(f"has a width or precision beyond {MAX_BYTES}")
    return int(figures)


def _text(how: Directive, value: Any) -> bytes:
    return how.padded(raw(value)[: how.precision])


def _whole(how: Directive, value: Any) -> bytes:
    return how.padded_integer(how.signed(str(loose_integer(value))))


def _unsigned(how: Directive, value: Any) -> bytes:
    return how.padded_integer(str(loose_integer(value) % 2**64).encode())


def _in_base(letter: str) -> Callable[[Directive, Any], bytes]:
    def show(how: Directive, value: Any) -> bytes:
        # With a precision these are empty, as in PHP.
        text = f"{loose_integer(value) % 2**64:{letter}}" if how.precision is None else ""
        return how.padded(text.encode())

    return show


def _decimal(letter: str) -> Callable[[Directive, Any], bytes]:
    def show(how: Directive, value: Any) -> bytes:
        number = loose_float(value)
        digits = min(_DIGITS if how.precision is None else how.precision, _MAX_DIGITS)
        if math.isinf(number):
            return how.padded(how.signed("Inf" if number > 0 else "-Inf"))
        return how.padded_number(how.signed(_FLOATS[letter.lower()](number, digits).replace("e", _exponent(letter))))

    return show


def _exponent(letter: str) -> str:
    return "E" if letter in "EG" else "e"


def _scientific(number: float, digits: int) -> str:
    """The exponent has no leading zeros: `1.5e+3`."""
    figures, _, power = f"{number:.{digits}e}".partition("e")
    return f"{figures}e{int(power):+d}"


def _general(number: float, digits: int) -> str:
    """Writes no exponent from 0.0001 up to as many digits as the precision, otherwise one: `1.0e+25`."""
    digits = digits or 1
    figures, _, power = f"{number:.{digits - 1}e}".partition("e")
    if -4 <= int(power) < digits:
        plain = f"{float(f'{figures}e{power}'):.{max(digits - 1 - int(power), 0)}f}"
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    figures = figures.rstrip("0") if "." in figures else f"{figures}."
    return f"{figures}{'0' if figures.endswith('.') else ''}e{int(power):+d}"


_FLOATS: dict[str, Callable[[float, int], str]] = {
    "e": _scientific,
    "f": lambda number, digits: f"{number:.{digits}f}",
    "g": _general,
}
CONVERSIONS: dict[str, Callable[[Directive, Any], bytes]] = {
    "s": _text,
    "d": _whole,
    "u": _unsigned,
    "c": lambda _how, value: bytes([loose_integer(value) % 256]),
    "%": lambda _how, _value: b"%",
    **{letter: _in_base(letter) for letter in "boxX"},
    **{letter: _decimal(letter) for letter in "eEfFgG"},
}
