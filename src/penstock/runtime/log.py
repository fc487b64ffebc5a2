"""A component's output lines: which level they have, and what they say."""

from __future__ import annotations

import re

import msgspec

_RECORD = re.compile(r"\[[^\]]{1,64}\] \w{1,64}\.(?P<level>[A-Z]{1,16}): ")
_TYPES = {"WARNING": "warn", "ERROR": "error", "CRITICAL": "error", "ALERT": "error", "EMERGENCY": "error"}


class LogLine(msgspec.Struct, frozen=True):
    type: str
    message: str


def read_line(text: str) -> LogLine:
    """`[time] logger.LEVEL: message [] []` is a record with a level; any other line is information."""
    record = _RECORD.match(text)
    if not record:
        return LogLine("info", text)
    return LogLine(_TYPES.get(record["level"], "info"), _without_context(text[record.end() :]))


def _without_context(said: str) -> str:
    """What stands before the context and the extra, `{…} []`. Found by plain search: a pattern could take minutes."""
    message = said.removesuffix(" []")
    if message == said or message.endswith(" []"):
        return message.removesuffix(" []")
    begin = message.find(' {"')
    return message[:begin] if begin >= 0 and message.endswith("}") else message
