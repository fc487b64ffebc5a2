"""`date`: formats a time by the letters of a format, `Y-m-d` or `l jS F Y`; everything is UTC."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from penstock.foundation.strtotime.days import calendar_day, day_number, is_leap, month_length, week_day, week_of

DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


class Timestamp(msgspec.Struct, frozen=True):
    unix: int
    number: int
    """Its day, counted from 1970-01-01."""
    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int

    @property
    def full_year(self) -> str:
        return f"{'-' if self.year < 0 else ''}{abs(self.year):04d}"

    @property
    def hour_of_12(self) -> int:
        return self.hour % 12 or 12

    @property
    def ordinal(self) -> str:
        return "th" if 10 <= self.day <= 19 else {1: "st", 2: "nd", 3: "rd"}.get(self.day % 10, "th")

    @property
    def beat(self) -> int:
        """A thousandth of the day in Biel, one hour ahead; without daylight saving time."""
        return (self.unix % 86_400 + 3600) % 86_400 * 10 // 864


def date(template: str, unix: int) -> str:
    """A backslash escapes the character after it; other characters are literal."""
    moment = _time(unix)
    shown: list[str] = []
    characters = iter(template)
    for character in characters:
        if character == "\\":
            shown.append(next(characters, "\\"))
        else:
            shown.append(LETTERS[character](moment) if character in LETTERS else character)
    return "".join(shown)


def _time(unix: int) -> Timestamp:
    number, seconds = divmod(unix, 86_400)
    return Timestamp(unix, number, *calendar_day(number), seconds // 3600, seconds // 60 % 60, seconds % 60)


LETTERS: dict[str, Callable[[Timestamp], str]] = {
    "d": lambda moment: f"{moment.day:02d}",
    "D": lambda moment: DAYS[week_day(moment.number)][:3],
    "j": lambda moment: str(moment.day),
    "l": lambda moment: DAYS[week_day(moment.number)],
    "N": lambda moment: str(week_day(moment.number) or 7),
    "S": lambda moment: moment.ordinal,
    "w": lambda moment: str(week_day(moment.number)),
    "z": lambda moment: str(moment.number - day_number(moment.year, 1, 1)),
    "W": lambda moment: f"{week_of(moment.number)[1]:02d}",
    "o": lambda moment: str(week_of(moment.number)[0]),
    "F": lambda moment: MONTHS[moment.month - 1],
    "M": lambda moment: MONTHS[moment.month - 1][:3],
    "m": lambda moment: f"{moment.month:02d}",
    "n": lambda moment: str(moment.month),
    "t": lambda moment: str(month_length(moment.year, moment.month)),
    "L": lambda moment: str(int(is_leap(moment.year))),
    "Y": lambda moment: moment.full_year,
    "y": lambda moment: f"{abs(moment.year) % 100:02d}",
    "a": lambda moment: "am" if moment.hour < 12 else "pm",
    "A": lambda moment: "AM" if moment.hour < 12 else "PM",
    "B": lambda moment: f"{moment.beat:03d}",
    "g": lambda moment: str(moment.hour_of_12),
    "G": lambda moment: str(moment.hour),
    "h": lambda moment: f"{moment.hour_of_12:02d}",
    "H": lambda moment: f"{moment.hour:02d}",
    "i": lambda moment: f"{moment.minute:02d}",
    "s": lambda moment: f"{moment.second:02d}",
    "u": lambda _: "000000",
    "v": lambda _: "000",
    "e": lambda _: "UTC",
    "I": lambda _: "0",
    "O": lambda _: "+0000",
    "P": lambda _: "+00:00",
    "T": lambda _: "UTC",
    "Z": lambda _: "0",
    "c": lambda moment: date("Y-m-d\\TH:i:sP", moment.unix),
    "r": lambda moment: date("D, d M Y H:i:s O", moment.unix),
    "U": lambda moment: str(moment.unix),
}
