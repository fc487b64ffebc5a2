"""The tokens of a time expression, each with the names of its parts.

Many forms begin alike (`2017-10`, `2017-10-21`, `2017-10-21T09:16:00`), so the longest match wins, and of equally long
ones the first below. Case matters only where it is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

END = "\0"
"""Appended to the text, because some tokens must not be followed by others."""

DAY_NAMES = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS = {**{name: number for number, name in enumerate(_ORDINALS.split(), 1)}, "eight": 8}
DIRECTIONS = {"next": 1, "last": -1, "previous": -1, "this": 0}
MONTHS = {
    **{name: number for number, name in enumerate(MONTH_NAMES, 1)},
    **{name[:3]: number for number, name in enumerate(MONTH_NAMES, 1)},
    **{name.lower(): number for number, name in enumerate(ROMAN, 1)},
    "sept": 9,
}
WEEK_DAYS = {form: number for number, name in enumerate(DAY_NAMES) for form in (name, f"{name}s", name[:3])}
UNITS = {
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds"), ("microsecond", 1000)),
    **dict.fromkeys(("µs", "usec", "usecs", "µsec", "µsecs", "microsecond", "microseconds"), ("microsecond", 1)),
    **dict.fromkeys(("sec", "secs", "second", "seconds"), ("second", 1)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("minute", 1)),
    **dict.fromkeys(("hour", "hours"), ("hour", 1)),
    **dict.fromkeys(("day", "days"), ("day", 1)),
    **dict.fromkeys(("week", "weeks"), ("day", 7)),
    **dict.fromkeys(("fortnight", "fortnights", "forthnight", "forthnights"), ("day", 14)),
    **dict.fromkeys(("month", "months"), ("month", 1)),
    **dict.fromkeys(("year", "years"), ("year", 1)),
}


class Unreadable(Exception):
    """A text is not a time expression, or sets something twice."""


def _any(words: Iterable[str]) -> str:
    """The longest first: the first alternative that matches wins."""
    return "|".join(sorted(words, key=len, reverse=True))


_PARTS = {
    "H24": "(?P<hour>2[0-4]|[01]?[0-9])",
    "HH": "(?P<hour>2[0-4]|[01][0-9])",
    "H12": "(?P<hour>1[0-2]|0?[1-9])",
    "I": "(?P<minute>[0-5]?[0-9])",
    "II": "(?P<minute>[0-5][0-9])",
    "S": "(?P<second>60|[0-5]?[0-9])",
    "SS": "(?P<second>60|[0-5][0-9])",
    "FRAC": "(?P<fraction>[0-9]+)",
    "AMPM": rf"(?P<half>[ap])\.?m\.?[\t {END}]",
    "ZONE": r"(?P<zone>(?-i:GMT)?[+-](?:2[0-4]|[01]?[0-9])(?::?[0-5]?[0-9])?)",
    "NAMED": r"(?P<zone>(?-i:[A-Z][a-z]+(?:[_/-][A-Za-z]+)+)|\(?[a-z]{1,6}\)?)",
    "Y4": "(?P<year>[0-9]{4})",
    "Y2": "(?P<year>[0-9]{2})",
    "Y": "(?P<year>[0-9]{1,4})",
    "M": "(?P<month>1[0-2]|0?[0-9])",
    "MM": "(?P<month>1[0-2]|0[0-9])",
    "D": "(?P<day>3[01]|[0-2]?[0-9])(?-i:st|nd|rd|th)?",
    "DD": "(?P<day>3[01]|[0-2][0-9])",
    "MON": f"(?P<month_name>{_any(name[:3] for name in MONTH_NAMES)})".replace("sep", "sept?"),
    "MONTH": f"(?P<month_name>{_any([*MONTH_NAMES, *(name[:3] for name in MONTH_NAMES), 'sept'])}|(?-i:{_any(ROMAN)}))",
    "MONTHNAME": f"(?P<month_name>{_any([*MONTH_NAMES, *(name[:3] for name in MONTH_NAMES), 'sept'])})",
    "DOY": "(?P<day_of_year>36[0-6]|3[0-5][0-9]|[12][0-9][0-9]|0[1-9][0-9]|00[1-9])",
    "WEEK": "(?-i:W)(?P<week>5[0-3]|[1-4][0-9]|0[1-9])",
    "AFTER": r"[,.stndrh\t ]+",
    "WEEKDAY": f"(?P<week_day>{_any(WEEK_DAYS)})",
    "UNIT": f"(?P<unit>{_any({*UNITS, *WEEK_DAYS, 'weekday', 'weekdays'} - {'week'})})",
    "UNITS": f"(?P<unit>{_any({*UNITS, *WEEK_DAYS, 'weekday', 'weekdays'})})",
    "WHICH": f"(?P<which>{_any([*ORDINALS, *DIRECTIONS])})",
    "TOWARDS": f"(?P<which>{_any(DIRECTIONS)})",
}
"""Definitions of what is in angle brackets below."""

_WORDS: dict[str, tuple[str, ...]] = {
    "nothing": ("now", "[.,]+", r"[ \t]+", f"[\n{END}]"),
    "yesterday": ("yesterday",),
    "noon": ("noon",),
    "midnight": ("midnight", "today"),
    "tomorrow": ("tomorrow",),
    "timestamp": (r"@(?P<seconds>-?[0-9]{1,30})(?:\.(?P<fraction>[0-9]{1,6}))?",),
    "edge_of_month": ("(?P<edge>first|last) day of",),
    "quarter": (r"(?P<side>back|front) of <H24>(?:[ \t]*<AMPM>)?",),
    "week_day_of_month": (r"<WHICH>[ \t]+<WEEKDAY>[ \t]+of",),
    "clock": (
        *(r"<H12>[ \t]*<AMPM>", r"<H12>[:.]<II>[ \t]*<AMPM>", r"<H12>[:.]<I>[:.]<SS>[ \t]*<AMPM>"),
        *("<H12>:<II>:<SS>[:.]<FRAC><AMPM>", "t?<H24>[:.]<I>", "t?<H24>[:.]<I>[:.]<S>"),
        *(r"t?<H24>[:.]<I>[:.]<S>\.<FRAC>", "t?<HH><II><SS>"),
    ),
    "four_digits": ("t?<HH><II>",),
    "date": (
        *("<M>/<D>", "<M>/<D>/<Y>", "(?P<sign>[+-]?)<Y4>-<MM>-<DD>", "<Y4>/<MM>/<DD>/?", "<Y4>/<M>/<D>"),
        *("<Y2>-<MM>-<DD>", "<Y4>-<M>", "<Y>-<M>-<D>", r"<D>[ \t.-]*<MONTH>[ \t.-]*<Y>", r"<D>[.\t-]<M>[.-]<Y4>"),
        *(r"<D>[.\t]<M>\.<Y2>", r"<MONTH>[ \t.-]*<Y4>", r"<Y4>[ \t.-]*<MONTH>", r"<MONTH>[ \t.-]*<D><AFTER><Y>"),
        *(rf"<MONTH>[ \t.-]*<D>(?:<AFTER>|{END})", r"<D>[ \t.-]*<MONTH>", "<Y4><MM><DD>"),
        *("<MON>-<DD>-<Y>", "<Y>-<MON>-<DD>", "<MONTHNAME>"),
    ),
    "date_and_clock": (
        *("<Y4><MM><DD>(?-i:T)<H24>:<II>:<SS>", "<Y4><MM><DD>t<H24><II><SS>", "<Y4><MM><DD><HH><II><SS>"),
        *(r"<Y4>-<MM>-<DD>(?-i:T)<HH>:<II>:<SS>\.<FRAC><ZONE>?", "<Y4>-<M>-<D>(?-i:T)<H24>:<I>:<S>"),
        *("<Y4>:<MM>:<DD> <HH>:<II>:<SS>", r"<D>/<MON>/<Y4>:<HH>:<II>:<SS>[ \t]+<ZONE>"),
        *(r"<MONTH>[ \t.-]*<D><AFTER><H12>[:.]<II>[ \t]*<AMPM>", r"<MONTH>[ \t.-]*<D><AFTER>t?<H24>[:.]<I>"),
        r"<MONTH>[ \t.-]*<D><AFTER><H12>[:.]<I>[:.]<SS>[ \t]*<AMPM>",
        r"<MONTH>[ \t.-]*<D><AFTER>t?<H24>[:.]<I>[:.]<S>",
    ),
    "day_of_year": (r"<Y4>\.?<DOY>",),
    "iso_week": ("<Y4>-?<WEEK>(?:-?(?P<day>[0-7]))?",),
    "year": ("<Y4>",),
    "ago": ("ago",),
    "week_day": ("<WEEKDAY>", "(?P<week_day>weekdays?)"),
    "relative_week": (r"<TOWARDS>[ \t]+week",),
    "relative_text": (r"<WHICH>[ \t]+<UNIT>",),
    "zone": ("<ZONE>", "<NAMED>"),
    "relative": (r"(?P<signs>[+-]*)[ \t]*(?P<amount>[0-9]{1,30})[ \t]*<UNITS>",),
}


def _compiled(form: str) -> re.Pattern[str]:
    whole = re.sub("<([A-Z0-9]+)>", lambda name: _PARTS[name[1]], form)
    return re.compile(whole, re.IGNORECASE | re.ASCII)


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """Compiled on first use: few runs need them."""
    return [(kind, _compiled(form)) for kind, forms in _WORDS.items() for form in forms]


def words(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The kind of each token, with its parts; raises Unreadable where none matches."""
    text, at = text + END, 0
    while at < len(text):
        found = [(kind, match) for kind, form in _forms() if (match := form.match(text, at))]
        if not found:
            raise Unreadable(f"no word about time at {at}")
        kind, word = max(found, key=lambda one: one[1].end())
        yield kind, {name: part for name, part in word.groupdict().items() if part is not None}
        at = word.end()
