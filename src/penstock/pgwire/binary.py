"""Values in the binary formats of PostgreSQL, from and to their texts."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from datetime import date
from uuid import UUID

from penstock.pgwire import types
from penstock.pgwire.types import text_encoder, to_bytes

DAY = 24 * 3600 * 1_000_000
_FIRST_DAY = date(2000, 1, 1).toordinal()
_CYCLE, _CYCLE_DAYS = 400, 146_097
"""Years after which the calendar repeats."""
_DATE = re.compile(r"(\d+)-(\d\d)-(\d\d)")
_TIME = re.compile(r"(-)?(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?")
_ZONE = re.compile(r"([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$")
_UNIT = re.compile(r"(-?\d+) (year|month|day)s?")
_INFINITE = {"infinity": 1, "-infinity": -1}


def _days(value: str) -> int:
    """Return the days since 2000-01-01; also of years that Python's dates do not have."""
    found = _DATE.search(value)
    if not found:
        raise ValueError(value)
    year, month, day = (int(part) for part in found.groups())
    year = 1 - year if "(BC)" in value else year
    cycles, rest = divmod(year - 1, _CYCLE)
    return date(rest + 1, month, day).toordinal() - _FIRST_DAY + cycles * _CYCLE_DAYS


def _microseconds(value: str) -> int:
    """Return the microseconds of a time of day, or of the hours in an interval."""
    found = _TIME.search(value)
    if not found:
        return 0
    sign, hours, minutes, seconds, fraction = found.groups()
    count = (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1_000_000 + int((fraction or "").ljust(6, "0"))
    return -count if sign else count


def _zone(value: str) -> int:
    """Seconds east of UTC."""
    found = _ZONE.search(value)
    if not found:
        return 0
    hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:])
    return (hours * 3600 + minutes * 60 + seconds) * (-1 if found[1] == "-" else 1)


def _encode_date(value: str) -> bytes:
    if sign := _INFINITE.get(value):
        return struct.pack(">i", 2**31 - 1 if sign > 0 else -(2**31))
    return struct.pack(">i", _days(value))


def _encode_timestamp(value: str) -> bytes:
    if sign := _INFINITE.get(value):
        return struct.pack(">q", 2**63 - 1 if sign > 0 else -(2**63))
    moment = value.removesuffix(" (BC)")
    return struct.pack(">q", _days(value) * DAY + _microseconds(moment) - _zone(_clock(moment)) * 1_000_000)


def _clock(moment: str) -> str:
    """Return the time of day, without the date, whose hyphens look like a time zone."""
    return moment.partition(" ")[2]


def _encode_interval(value: str) -> bytes:
    counts = {unit: int(count) for count, unit in _UNIT.findall(value)}
    months = 12 * counts.get("year", 0) + counts.get("month", 0)
    return struct.pack(">qii", _microseconds(value), counts.get("day", 0), months)


def _encode_numeric(value: str) -> bytes:
    if value.lower() == "nan":
        return struct.pack(">HhHH", 0, 0, 0xC000, 0)
    whole, _, fraction = value.lstrip("-").partition(".")
    digits = whole.rjust(-(-len(whole) // 4) * 4, "0") + fraction.ljust(-(-len(fraction) // 4) * 4, "0")
    groups = [int(digits[start : start + 4]) for start in range(0, len(digits), 4)]
    weight = -(-len(whole) // 4) - 1
    while groups and groups[0] == 0:
        groups, weight = groups[1:], weight - 1
    while groups and groups[-1] == 0:
        groups.pop()
    sign = 0x4000 if value.startswith("-") and groups else 0
    return struct.pack(f">HhHH{len(groups)}H", len(groups), weight if groups else 0, sign, len(fraction), *groups)


def _packer(form: str, convert: Callable[[str], int | float | bool]) -> Callable[[str], bytes]:
    return lambda value: struct.pack(form, convert(value))


_ENCODERS: dict[int, Callable[[str], bytes]] = {
    types.BOOL: _packer(">?", lambda value: value.startswith("t")),
    types.INT2: _packer(">h", int),
    types.INT4: _packer(">i", int),
    types.INT8: _packer(">q", int),
    types.OID: _packer(">I", int),
    types.FLOAT4: _packer(">f", float),
    types.FLOAT8: _packer(">d", float),
    types.BYTEA: to_bytes,
    types.DATE: _encode_date,
    types.TIME: _packer(">q", _microseconds),
    types.TIMETZ: lambda value: struct.pack(">qi", _microseconds(value), -_zone(value)),
    types.TIMESTAMP: _encode_timestamp,
    types.TIMESTAMPTZ: _encode_timestamp,
    types.INTERVAL: _encode_interval,
    types.NUMERIC: _encode_numeric,
    types.UUID: lambda value: UUID(value).bytes,
}


def binary_encoder(oid: int) -> Callable[[str], bytes]:
    """Return the encoder from the text of the engine. Types that are not here are texts in both formats."""
    return _ENCODERS.get(oid) or text_encoder(oid)
