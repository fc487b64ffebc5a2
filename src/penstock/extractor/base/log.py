"""The log of a run: structured lines for programs and files, short ones with live progress for a terminal.

Every line passes the redactor, so that it contains no secret of the configuration. A heartbeat logs progress while a
run waits for an API that may not respond for minutes.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, TextIO

import msgspec

from penstock.foundation import clock
from penstock.foundation.redaction import Redactor

PROGRESS_SECONDS = 0.2
"""How often progress is shown on a terminal."""
INTERVAL = 30.0
"""How often progress is logged."""
Now = Callable[[], float]
"""A monotonic clock, in seconds."""
_UNPRINTABLE = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"


class Traffic:
    """How much a run has asked for and received so far, with what was asked for again."""

    def __init__(self) -> None:
        self.requests = self.bytes = 0

    def add(self, received: int) -> None:
        self.requests += 1
        self.bytes += received


class Log:
    """Lines of the form `[time] logger.LEVEL: message {context} []`, which the platform parses."""

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
        """Redacts these texts too, from now on."""
        self.redactor = self.redactor.also(secrets)

    def progress(self, pages: int, records: int, traffic: Traffic | None = None) -> None:
        """Call it often: it logs one line per interval, to show that a long run is alive."""
        received = f" Requests: {traffic.requests:,}, bytes received: {traffic.bytes:,}." if traffic else ""
        self._show(f"In progress: {pages:,} pages, {records:,} records so far", received)

    def writing(self, records: int) -> None:
        """Does the same as progress(), while the tables are written."""
        self._show(f"Writing the tables: {records:,} records so far")

    def _show(self, message: str, more: str = "") -> None:
        now = self._now()
        if now - self._shown >= self.interval:
            self._shown = now
            self.info(f"{message}, after {now - self._started:,.0f} seconds.{more}")

    def info_if_long(self, message: str) -> None:
        """Logs a line only if the run has taken longer than one interval."""
        if self._now() - self._started >= self.interval:
            self.info(message)

    def write(self, level: str, message: str, context: dict[str, Any]) -> None:
        facts = msgspec.json.encode(context, enc_hook=str).decode() if context else "[]"
        text = self.redactor.clean(f"{message} {facts}")
        self.out.write(f"[{clock.now().isoformat(timespec='microseconds')}] logger.{level}: {_one_line(text)} []\n")
        self.out.flush()


class ProgressLog(Log):
    """For a terminal: one progress line, with the messages above it."""

    _refreshed = float("-inf")

    def progress(self, pages: int, records: int, traffic: Traffic | None = None) -> None:
        now = self._now()
        if now - self._refreshed < PROGRESS_SECONDS:
            return
        self._refreshed = now
        rate = records / max(now - self._started, 0.001)
        self.out.write(f"\r\x1b[K{pages:,} pages, {records:,} records, {rate:,.0f} records/s")
        self.out.flush()

    def error(self, message: str, **context: Any) -> None:
        """Clears only the progress line: the command prints the message to standard error, on the same terminal."""
        self.out.write("\r\x1b[K")
        self.out.flush()

    def write(self, level: str, message: str, context: dict[str, Any]) -> None:
        mark = "" if level == "INFO" else f"{level.lower()}: "
        facts = "; ".join(f"{name}: {value}" for name, value in context.items() if value != "")
        text = f"{message} ({facts})" if facts else message
        self.out.write(f"\r\x1b[K{mark}{_one_line(self.redactor.clean(text))}\n")
        self.out.flush()


def printable(text: str) -> str:
    """Returns the text without control characters, which could move a terminal's cursor, and without surrogates."""
    return text if text.isprintable() else re.sub(_UNPRINTABLE, "\ufffd", text)


def _one_line(text: str) -> str:
    return printable(text.replace("\r\n", " ").replace("\n", " ").replace("\r", " "))


@asynccontextmanager
async def heartbeat(beat: Callable[[], None], seconds: float) -> AsyncGenerator[None]:
    """Calls `beat` at this interval until the block ends.

    An OSError of `beat` stops the calls, not the block: the next write to a broken log raises it again.
    """
    task = asyncio.create_task(_repeat(beat, seconds))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, OSError):
            await task


async def _repeat(beat: Callable[[], None], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        beat()
