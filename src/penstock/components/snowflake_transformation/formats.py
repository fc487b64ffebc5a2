"""Formats of dates: `TO_VARCHAR(d, 'YYYY-MM-DD')` says what `strftime(d, '%Y-%m-%d')` says."""

from __future__ import annotations

import re

from penstock.components.snowflake_transformation.tokens import Token

CALLS = frozenset(
    f"{prefix}TO_{name}"
    for prefix in ("", "TRY_")
    for name in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "VARCHAR", "CHAR")
)
_SIGNS = {
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
    "FF3": "%g",
    "FF": "%f",
    "AM": "%p",
    "PM": "%p",
}
_SIGN = re.compile("|".join(_SIGNS), re.IGNORECASE)


def translate_formats(tokens: list[Token]) -> None:
    """The last argument of a call, where it is a text that stands there as it is."""
    opened: list[str] = []
    for index, token in enumerate(tokens):
        if token.text == "(":
            opened.append(tokens[index - 1].word if index else "")
        elif token.text == ")" and opened and opened.pop() in CALLS and tokens[index - 2].text == ",":
            _translate_format(tokens[index - 1])


def _translate_format(token: Token) -> None:
    if token.text.startswith("'"):
        literal = token.text.replace("%", "%%").replace('"', "")
        token.text = _SIGN.sub(lambda found: _SIGNS[found[0].upper()], literal)
