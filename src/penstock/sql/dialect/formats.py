"""Date formats: `TO_VARCHAR(d, 'YYYY-MM-DD')` corresponds to `strftime(d, '%Y-%m-%d')`."""

from __future__ import annotations

import re

from sqlglot import exp

from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.lexing import MARK

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


def reading_format(name: str, arguments: list[exp.Expr]) -> list[exp.Expr]:
    """The arguments after the text that is read: one to six digits are read; a further argument allows more."""
    pieces, digits = _translate_parts(name, _only_literal(name, arguments))
    whole = pieces[0] + "".join(
        ("%f" if count else "") + piece for count, piece in zip(digits, pieces[1:], strict=True)
    )
    more = [exp.Literal.number(9)] if any(count > _MICROSECONDS for count in digits) else []
    return [exp.Literal.string(whole), *more]


def writing_format(name: str, arguments: list[exp.Expr]) -> list[exp.Expr]:
    """The arguments after the time that is written."""
    given = _only_literal(name, arguments)
    pieces, digits = _translate_parts(name, given)
    if len(digits) > 1:
        raise NotTranslated(f'The format "{given}" of {name} has FF more than once.')
    if not digits and "%" not in pieces[0].replace("%%", ""):
        raise NotTranslated(
            f'The format "{given}" of {name} is not a date format; formats of numbers are not translated.'
        )
    texts = [exp.Literal.string(piece) for piece in pieces]
    return [texts[0], exp.Literal.number(digits[0]), texts[1]] if digits else [texts[0]]


def _only_literal(name: str, arguments: list[exp.Expr]) -> str:
    [argument, *more] = arguments
    if more or not (isinstance(argument, exp.Literal) and argument.is_string):
        given = ", ".join(each.sql(dialect="snowflake") for each in arguments).replace(MARK, "")
        raise NotTranslated(
            f"The second argument of {name} is {given}: it must be one format, written as a text there, "
            "such as 'YYYY-MM-DD'."
        )
    return argument.name


def _translate_parts(name: str, template: str) -> tuple[list[str], list[int]]:
    """The format for strftime, split at fractional seconds, and the number of digits of each."""
    pieces, digits = [""], list[int]()
    for found in _PART.finditer(template):
        if found["unknown"]:
            raise _unknown(name, template, found["unknown"])
        if found["digits"] is not None:
            digits.append(int(found["digits"] or 9))
            pieces.append("")
        else:
            pieces[-1] += _ELEMENTS.get((found["element"] or "").upper()) or _literal(found)
    return pieces, digits


def _literal(match: re.Match[str]) -> str:
    return (match["quoted"] or match["literal"] or "").replace("%", "%%")


def _unknown(name: str, template: str, element: str) -> NotTranslated:
    return NotTranslated(
        f'The format "{template}" of {name} has "{element}", which is not known. Known are '
        f"{', '.join(_ELEMENTS)}, FF and FF0 to FF9, T, Z, and texts in double quotes."
    )
