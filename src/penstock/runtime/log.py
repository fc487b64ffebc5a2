"""A component's output lines: which level they have, and what they say."""

from __future__ import annotations

import re

import msgspec

_RECORD = re.compile(
    r"\[[^\]]+\] \w+\.(?P<level>[A-Z]+): (?P<message>.*?)(?: (?P<context>\[\]|\{.*\}) \[\])?$", re.DOTALL
)
_TYPES = {"WARNING": "warn", "ERROR": "error", "CRITICAL": "error", "ALERT": "error", "EMERGENCY": "error"}


class LogLine(msgspec.Struct, frozen=True):
    type: str
    message: str


def read_line(text: str) -> LogLine:
    """`[time] logger.LEVEL: message [] []` is a record with a level; any other line is information."""
    record = _RECORD.match(text)
    if not record:
        return LogLine("info", text)
    return LogLine(_TYPES.get(record["level"], "info"), record["message"])
