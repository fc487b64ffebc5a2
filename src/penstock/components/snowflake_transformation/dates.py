"""The parts of dates: `DATEADD(day, 1, d)` names one without quotes and in many spellings; DuckDB wants `'day'`."""

from __future__ import annotations

from penstock.components.snowflake_transformation.tokens import Token

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
    "epoch": "epoch_second epoch_seconds",
}
PARTS = {spelling: part for part, given in _SPELLINGS.items() for spelling in (part, *given.split())}
_ADDING = {"DATEADD": "DATEADD", "TIMEADD": "DATEADD", "TIMESTAMPADD": "DATEADD"}
_DIFFERENCES = {"DATEDIFF": "DATEDIFF", "TIMEDIFF": "DATEDIFF", "TIMESTAMPDIFF": "DATEDIFF"}
CALLS = {**_ADDING, **_DIFFERENCES, "DATE_TRUNC": "DATE_TRUNC", "DATE_PART": "DATE_PART"}
DAYS = ("year", "quarter", "month", "week", "day")


def translate_dates(tokens: list[Token]) -> None:
    for index in range(len(tokens) - 3):
        name, opening, part, comma = tokens[index : index + 4]
        if name.word in CALLS and (opening.text, comma.text) == ("(", ","):
            _translate_call(name, part)


def _translate_call(name: Token, part: Token) -> None:
    given = part.text.strip().strip("'").lower()
    known = PARTS.get(given, given)
    if not (part.is_word or part.text.startswith("'")):
        return
    part.text, part.is_word = f"'{known}'", False
    called = CALLS[name.word]
    # Days added to a date make a date, hours a time: these are two functions, because one has one type.
    name.text = f"{called}_TIME" if called == "DATEADD" and known not in DAYS else called
