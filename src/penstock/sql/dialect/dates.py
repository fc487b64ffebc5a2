"""Date parts: `DATEADD(day, 1, d)` has them without quotes and in many spellings; DuckDB requires `'day'`."""

from __future__ import annotations

import re

from sqlglot import exp

from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.names import name_of
from penstock.sql.dialect.templates import call, expand

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
DAYS = ("year", "quarter", "month", "week", "day")
_SMALL = ("millisecond", "microsecond")
"""DuckDB counts these from the minute, so they cannot be extracted."""
_INTERVALS = {
    "year": ("to_years", 1),
    "quarter": ("to_months", 3),
    "month": ("to_months", 1),
    "week": ("to_days", 7),
    "day": ("to_days", 1),
    "hour": ("to_hours", 1),
    "minute": ("to_minutes", 1),
    "second": ("to_seconds", 1),
    "millisecond": ("to_milliseconds", 1),
    "microsecond": ("to_microseconds", 1),
}


def _by_spelling(spellings: dict[str, str]) -> dict[str, str]:
    return {spelling: part for part, given in spellings.items() for spelling in (part, *given.split())}


PARTS = _by_spelling(_SPELLINGS)
READ_PARTS = {
    **{spelling: part for spelling, part in PARTS.items() if part not in _SMALL},
    **_by_spelling(_READ_ONLY),
}


def add_to_date(name: str, part: exp.Expr, number: exp.Expr, date: exp.Expr) -> exp.Expr:
    """Days added to a date make a date, hours a timestamp."""
    found = find_part(name, part, PARTS)
    return expand("DATEADD" if found in DAYS else "DATEADD_TIME", date, interval(found, number))


def interval(part: str, number: exp.Expr) -> exp.Expr:
    function, factor = _INTERVALS[part]
    count = exp.Mul(this=exp.Paren(this=number), expression=exp.Literal.number(factor)) if factor != 1 else number
    kind = "INT" if part in DAYS else "BIGINT"
    return call(function, exp.Cast(this=exp.Paren(this=count), to=exp.DataType.build(kind)))


def translate_interval(node: exp.Interval) -> exp.Expr:
    """`INTERVAL '1 day, 2 hours'`."""
    written = " ".join(each.name for each in (node.this, node.args.get("unit")) if each)
    pieces = [each.split() for each in re.sub(r"(?<=[a-zA-Z])[\s,]+(?=[-\d])", ";", written).split(";")]
    if not all(len(piece) == 2 and piece[1].lower() in PARTS for piece in pieces):
        raise NotTranslated(
            f"The interval '{written}' is not translated. Write a number and a part of a date, as in '1 day'."
        )
    texts = [f"{number} {PARTS[part.lower()]}" for number, part in pieces]
    return exp.Cast(this=exp.Literal.string(" ".join(texts)), to=exp.DataType.build("INTERVAL"))


def difference(name: str, part: exp.Expr, start: exp.Expr, end: exp.Expr) -> exp.Expr:
    found = find_part(name, part, PARTS)
    if found == "week":
        return expand("DATEDIFF_WEEK", start, end)
    return expand("DATEDIFF", _literal(found), start, end)


def truncate(name: str, part: exp.Expr, date: exp.Expr) -> exp.Expr:
    return expand("DATE_TRUNC", _literal(find_part(name, part, PARTS)), date)


def read_part(name: str, part: exp.Expr, date: exp.Expr) -> exp.Expr:
    found = find_part(name, part, READ_PARTS)
    if found.startswith("epoch"):
        return expand("DATE_PART_EPOCH" if found == "epoch" else "DATE_PART_EPOCH_MS", date)
    is_time = found in ("hour", "minute", "second")
    return expand("DATE_PART_TIME" if is_time else "DATE_PART", _literal(found), date)


def last_day(name: str, date: exp.Expr, part: exp.Expr) -> exp.Expr:
    found = find_part(name, part, {each: kind for each, kind in PARTS.items() if kind in DAYS[:-1]})
    return expand("LAST_DAY_OF", _literal(found), interval(found, exp.Literal.number(1)), date)


def find_part(name: str, part: exp.Expr, parts: dict[str, str]) -> str:
    is_text = isinstance(part, exp.Literal) and part.is_string
    given = (part.name if is_text else name_of(part)).lower()
    if given not in parts:
        raise NotTranslated(
            f'{name} has "{given or part.sql()}", which is not a known part of a date. Known are '
            f"{', '.join(dict.fromkeys(parts.values()))} and their other spellings."
        )
    return parts[given]


def _literal(text: str) -> exp.Expr:
    return exp.Literal.string(text)
