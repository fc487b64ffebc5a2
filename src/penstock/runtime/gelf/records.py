"""What a GELF record says, and how much of it its component wants to be shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from penstock.runtime.log import LogLine

CAMOUFLAGE = "Application error"
_REQUIRED = ("host", "level", "timestamp", "short_message")
_OF_SYSLOG = (600, 550, 500, 400, 300, 250, 200, 100)
"""Levels from 100, debug, to 600, emergency, by syslog's numbers, which begin with the worst."""
_DEFAULT_VISIBILITY = {100: "none", 200: "normal", 250: "normal", 300: "normal", 400: "normal"}
_WARNING, _ERROR = 300, 400


class Record(msgspec.Struct, frozen=True, kw_only=True):
    level: int
    short_message: str
    full_message: str = ""
    extra: dict[str, Any] = {}


def read_record(content: bytes) -> Record | None:
    """Return None for what is not a record: not JSON, or without what every record has."""
    try:
        fields = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    members = cast(dict[str, Any], fields)
    level = _read_level(members.get("level"))
    if level is None or any(members.get(name) in (None, "") for name in _REQUIRED):
        return None
    return Record(
        level=level,
        short_message=str(members["short_message"]),
        full_message=str(members.get("full_message") or ""),
        extra={name[1:]: value for name, value in members.items() if name.startswith("_")},
    )


def to_line(record: Record, verbosity: Mapping[str, str]) -> LogLine | None:
    """Return what is shown of it; `verbosity` says for a level: none, camouflage, normal or verbose."""
    visibility = verbosity.get(str(record.level)) or _DEFAULT_VISIBILITY.get(record.level, "camouflage")
    if visibility == "none":
        return None
    text = _say_all(record)
    if visibility == "camouflage":
        return LogLine(_type(record.level), CAMOUFLAGE, internal=text)
    return LogLine(_type(record.level), text if visibility == "verbose" else record.short_message)


def _say_all(record: Record) -> str:
    extra = msgspec.json.encode(record.extra).decode() if record.extra else ""
    return "\n".join(part for part in (record.full_message or record.short_message, extra) if part)


def _type(level: int) -> str:
    return "error" if level >= _ERROR else "warn" if level == _WARNING else "info"


def _read_level(value: Any) -> int | None:
    """Read Syslog's number, or one of Penstock's; libraries send both, and some as text."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if isinstance(value, bool) or not math.isfinite(number) or number < 0:
        return None
    level = int(number)
    if level < len(_OF_SYSLOG):
        return _OF_SYSLOG[level]
    # The nearest known level that is not worse.
    return next((own_level for own_level in _OF_SYSLOG if own_level <= level), _OF_SYSLOG[-1])
