"""Date parts: `DATEADD(day, 1, d)` has them without quotes and in many spellings; DuckDB requires `'day'`."""

from __future__ import annotations

from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.tokens import Token

_SPELLINGS = {
    "year": "y yy yyy yyyy yr years yrs",
    "quarter": "q qtr qtrs quarters",
    "month": "mm mon mons months",
    "week": "w wk weekofyear woy wy weeks",
    "day": "d dd days dayofmonth",
    "hour": "h hh hr hours hrs",
    "minute": "m mi min minutes mins",
    "second": "s sec seconds secs",
    "millisecond": "ms msec milliseconds",
    "microsecond": "us usec microseconds",
}
_READ_ONLY = {
    "dow": "dayofweek weekday dw",
    "isodow": "dayofweekiso dayofweek_iso weekday_iso dow_iso dw_iso",
    "doy": "dayofyear yearday dy",
    "week": "weekiso week_iso weekofyeariso weekofyear_iso",
    "isoyear": "yearofweek yearofweekiso",
    "epoch": "epoch_second epoch_seconds",
    "epoch_ms": "epoch_millisecond epoch_milliseconds",
}


def _by_format(spellings: dict[str, str]) -> dict[str, str]:
    return {spelling: part for part, given in spellings.items() for spelling in (part, *given.split())}


PARTS = _by_format(_SPELLINGS)
_SMALL = ("millisecond", "microsecond")
"""DuckDB counts these from the minute, so they cannot be extracted."""
READ_PARTS = {
    **{spelling: part for spelling, part in PARTS.items() if part not in _SMALL},
    **_by_format(_READ_ONLY),
}
_ADDING = {"DATEADD": "DATEADD", "TIMEADD": "DATEADD", "TIMESTAMPADD": "DATEADD"}
_DIFFERENCES = {"DATEDIFF": "DATEDIFF", "TIMEDIFF": "DATEDIFF", "TIMESTAMPDIFF": "DATEDIFF"}
CALLS = {**_ADDING, **_DIFFERENCES, "DATE_TRUNC": "DATE_TRUNC", "DATE_PART": "DATE_PART"}
DAYS = ("year", "quarter", "month", "week", "day")


def translate_dates(tokens: list[Token]) -> None:
    """Raises NotTranslated for an unknown part."""
    for index in range(len(tokens) - 3):
        name, opening, part, comma = tokens[index : index + 4]
        if name.word == "EXTRACT" and opening.text == "(" and comma.word == "FROM":
            name.text, comma.text, comma.is_word = "DATE_PART", ",", False
        if name.word in CALLS and (opening.text, comma.text) == ("(", ","):
            _translate_call(name, part)


def _translate_call(name: Token, part: Token) -> None:
    if not (part.is_word or part.text.startswith("'")):
        return
    called, given = CALLS[name.word], part.text.strip("'").lower()
    known = _find(called, given)
    part.text, part.is_word = f"'{known}'", False
    name.text = called + _suffix(called, known)


def _find(called: str, given: str) -> str:
    parts = READ_PARTS if called == "DATE_PART" else PARTS
    if given not in parts:
        raise NotTranslated(
            f'{called} has "{given}", which is not a known part of a date. Known are '
            f"{', '.join(dict.fromkeys(parts.values()))} and their other spellings."
        )
    return parts[given]


def _suffix(called: str, part: str) -> str:
    """Each function has one type: days added to a date make a date, hours a timestamp; epoch seconds have no
    fraction."""
    if called == "DATEADD" and part not in DAYS:
        return "_TIME"
    return "_EPOCH" if called == "DATE_PART" and part.startswith("epoch") else ""
