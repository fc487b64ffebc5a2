"""Date formats: `TO_VARCHAR(d, 'YYYY-MM-DD')` corresponds to `strftime(d, '%Y-%m-%d')`."""

from __future__ import annotations

import re

from penstock.sql.dialect.calls import Call, find_calls
from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.tokens import Token

READING = frozenset(f"{prefix}TO_{name}" for prefix in ("", "TRY_") for name in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ"))
WRITING = frozenset({"TO_VARCHAR", "TO_CHAR"})
_ELEMENTS = {
    "YYYY": "%Y",
    "YY": "%y",
    "MMMM": "%B",
    "MON": "%b",
    "MM": "%m",
    "DD": "%d",
    "DY": "%a",
    "HH24": "%H",
    "HH12": "%I",
    "HH": "%H",
    "MI": "%M",
    "SS": "%S",
    "AM": "%p",
    "PM": "%p",
}
_PART = re.compile(
    rf'(?P<element>{"|".join(_ELEMENTS)})|FF(?P<digits>[0-9]?)|"(?P<quoted>[^"]*)"|(?P<literal>T(?=HH)|[TZ](?![A-Z])|[^A-Z"])'
    r'|(?P<unknown>[A-Z]+|")',
    re.IGNORECASE,
)
_MICROSECONDS = 6
"""The digits of fractional seconds in a TIMESTAMP of DuckDB."""


def translate_formats(tokens: list[Token]) -> None:
    """Raises NotTranslated for a format that is not a literal, or has an unknown element."""
    for call in find_calls(tokens):
        arguments = call.arguments(tokens) if call.name in READING | WRITING else []
        if len(arguments) > 1:
            token = _only_literal(call, arguments[1:])
            pieces, digits = _translate_parts(call.name, _text(token))
            token.text = _write(pieces, digits) if call.name in WRITING else _read(pieces, digits)


def _only_literal(call: Call, arguments: list[list[Token]]) -> Token:
    [argument, *more] = arguments
    if more or len(argument) != 1 or not argument[0].text.startswith(("'", "$$")):
        given = ", ".join("".join(token.text + token.gap for token in each).strip() for each in arguments)
        raise NotTranslated(
            f"The second argument of {call.name} is {given}: it must be one format, written as a text there, "
            "such as 'YYYY-MM-DD'."
        )
    return argument[0]


def _text(token: Token) -> str:
    return token.text[2:-2] if token.text.startswith("$$") else token.text[1:-1].replace("''", "'")


def _translate_parts(name: str, given: str) -> tuple[list[str], list[int]]:
    """The format for strftime, split at fractional seconds, and the number of digits of each."""
    pieces, digits = [""], list[int]()
    for found in _PART.finditer(given):
        if found["unknown"]:
            raise _unknown(name, given, found["unknown"])
        if found["digits"] is not None:
            digits.append(int(found["digits"] or 9))
            pieces.append("")
        else:
            pieces[-1] += _ELEMENTS.get((found["element"] or "").upper()) or _literal(found)
    return pieces, digits


def _literal(found: re.Match[str]) -> str:
    return (found["quoted"] or found["literal"] or "").replace("%", "%%")


def _write(pieces: list[str], digits: list[int]) -> str:
    if len(digits) > 1:
        raise NotTranslated("A format can contain FF only once.")
    if not digits:
        return _quote(pieces[0])
    return f"{_quote(pieces[0])}, {digits[0]}, {_quote(pieces[1])}"


def _read(pieces: list[str], digits: list[int]) -> str:
    """The engine reads one to six digits; a third argument allows more."""
    whole = pieces[0] + "".join(
        ("%f" if count else "") + piece for count, piece in zip(digits, pieces[1:], strict=True)
    )
    return _quote(whole) + (", 9" if any(count > _MICROSECONDS for count in digits) else "")


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _unknown(name: str, given: str, element: str) -> NotTranslated:
    return NotTranslated(
        f'The format "{given}" of {name} has "{element}", which is not known. Known are '
        f"{', '.join(_ELEMENTS)}, FF and FF0 to FF9, T, Z, and texts in double quotes."
    )
