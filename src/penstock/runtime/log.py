"""A component's output lines: which level they have, what they say, and how many of them a job may keep."""

from __future__ import annotations

import re

import msgspec

_RECORD = re.compile(r"\[[^\]]{1,64}\] \w{1,64}\.(?P<level>[A-Z]{1,16}): ")
_TYPES = {"WARNING": "warn", "ERROR": "error", "CRITICAL": "error", "ALERT": "error", "EMERGENCY": "error"}


JOB_LINES, JOB_CHARACTERS = 50_000, 50_000_000


class LogLine(msgspec.Struct, frozen=True):
    type: str
    message: str
    internal: str = ""
    """What is for the operator only."""


class LogQuota:
    """How much of a job's log is kept: a component that writes without end does not fill the database."""

    def __init__(self, lines: int = JOB_LINES, characters: int = JOB_CHARACTERS) -> None:
        self._lines, self._characters = lines, characters
        self.left_out = 0

    def admit(self, message: str) -> bool:
        """Return whether the line is kept. Once one was not, none is: a log with holes misleads."""
        self._lines -= 1
        self._characters -= len(message)
        if self.left_out or self._lines < 0 or self._characters < 0:
            self.left_out += 1
            return False
        return True

    @property
    def message(self) -> str:
        return f"The log is longer than a job may keep: its last {self.left_out:,} lines were left out."


def read_line(text: str) -> LogLine:
    """`[time] logger.LEVEL: message [] []` is a record with a level; any other line is information."""
    record = _RECORD.match(text)
    if not record:
        return LogLine("info", text)
    return LogLine(_TYPES.get(record["level"], "info"), _without_context(text[record.end() :]))


def read_errors(text: str) -> list[LogLine]:
    """Return what was written on standard error: records with their levels, and all the rest as one error."""
    lines = text.splitlines()
    rest = "\n".join(line for line in lines if not _RECORD.match(line)).strip()
    records = [read_line(line) for line in lines if _RECORD.match(line)]
    return [*records, LogLine("error", rest)] if rest else records


def find_error(text: str) -> str | None:
    """Return what the last record of an error in it says."""
    lines = (read_line(line) for line in reversed(text.splitlines()))
    return next((line.message for line in lines if line.type == "error"), None)


def _without_context(text: str) -> str:
    """Return what stands before the context and the extra, `{…} []`. Found by plain search: a pattern could take
    minutes."""
    message = text.removesuffix(" []")
    if message == text or message.endswith(" []"):
        return message.removesuffix(" []")
    begin = message.find(' {"')
    return message[:begin] if begin >= 0 and message.endswith("}") else message
