"""What the run tells: plain lines for programs and files, short ones with live progress for people.

Every line passes the redactor, so no secret of the configuration can be in one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from typing import Any, TextIO

import msgspec

from penstock.foundation import clock
from penstock.foundation.redaction import Redactor

PROGRESS_SECONDS = 0.2
"""How often a terminal is told how far a run has come."""
INTERVAL = 30.0
"""How often a log is."""
Now = Callable[[], float]
"""A clock that never goes back, in seconds."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Log:
    """Lines of the form `[time] logger.LEVEL: message {context} []`, for whoever reads our output."""

    def __init__(
        self,
        out: TextIO,
        redactor: Redactor,
        *,
        is_debug: bool = False,
        interval: float = INTERVAL,
        now: Now = time.monotonic,
    ) -> None:
        self.out, self.redactor, self.is_debug, self.interval = out, redactor, is_debug, interval
        self._now = now
        self._started = self._shown = now()

    def debug(self, message: str, **context: Any) -> None:
        if self.is_debug:
            self.write("DEBUG", message, context)

    def info(self, message: str, **context: Any) -> None:
        self.write("INFO", message, context)

    def warning(self, message: str, **context: Any) -> None:
        self.write("WARNING", message, context)

    def error(self, message: str, **context: Any) -> None:
        self.write("ERROR", message, context)

    def hide(self, secrets: Iterable[str]) -> None:
        """From now on these are secrets too."""
        self.redactor = self.redactor.also(secrets)

    def progress(self, pages: int, records: int) -> None:
        """To be called often: a line is written once in an interval, so that a long run can be seen to go on."""
        self._show(f"In progress: {pages:,} pages, {records:,} records so far")

    def writing(self, records: int) -> None:
        """As progress(), when all pages are read and the tables are written."""
        self._show(f"Writing the tables: {records:,} records so far")

    def _show(self, message: str) -> None:
        now = self._now()
        if now - self._shown >= self.interval:
            self._shown = now
            self.info(f"{message}, after {now - self._started:,.0f} seconds.")

    def info_if_long(self, message: str) -> None:
        """A line that is written only in a run that takes longer than one interval."""
        if self._now() - self._started >= self.interval:
            self.info(message)

    def write(self, level: str, message: str, context: dict[str, Any]) -> None:
        facts = msgspec.json.encode(context, enc_hook=str).decode() if context else "[]"
        text = self.redactor.clean(f"{message} {facts}")
        self.out.write(f"[{clock.now().isoformat(timespec='microseconds')}] logger.{level}: {_one_line(text)} []\n")
        self.out.flush()


class ProgressLog(Log):
    """For a terminal: one line that counts, and the messages above it."""

    _refreshed = float("-inf")

    def progress(self, pages: int, records: int) -> None:
        now = self._now()
        if now - self._refreshed < PROGRESS_SECONDS:
            return
        self._refreshed = now
        rate = records / max(now - self._started, 0.001)
        self.out.write(f"\r\x1b[K{pages:,} pages, {records:,} records, {rate:,.0f} records/s")
        self.out.flush()

    def error(self, message: str, **context: Any) -> None:
        """Standard error, which is the same terminal, shows the sentence."""
        self.out.write("\r\x1b[K")
        self.out.flush()

    def write(self, level: str, message: str, context: dict[str, Any]) -> None:
        mark = "" if level == "INFO" else f"{level.lower()}: "
        facts = "; ".join(f"{name}: {value}" for name, value in context.items() if value != "")
        text = f"{message} ({facts})" if facts else message
        self.out.write(f"\r\x1b[K{mark}{_one_line(self.redactor.clean(text))}\n")
        self.out.flush()


def printable(text: str) -> str:
    """What comes from an API must not move a terminal's cursor, nor be bytes that no text can hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def _one_line(text: str) -> str:
    return printable(text.replace("\r\n", " ").replace("\n", " ").replace("\r", " "))
