"""The operator's log: one line per event, a constant message and its data as fields.

On a terminal a line is for people; everywhere else, and in the rotated file of the data folder, it is JSON.
"""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation import clock

FILE_BYTES, FILES_KEPT = 10_000_000, 5

# Commands that do not configure logging have no log: they print messages for their users.
logging.getLogger("penstock").addHandler(logging.NullHandler())


class Log:
    """`log.info("job started", job_id=7)`."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(f"penstock.{name}")

    def info(self, message: str, **facts: Any) -> None:
        self._logger.info(message, extra={"facts": facts})

    def warning(self, message: str, **facts: Any) -> None:
        self._logger.warning(message, extra={"facts": facts})

    def error(self, message: str, *, exception: BaseException | None = None, **facts: Any) -> None:
        self._logger.error(message, exc_info=exception, extra={"facts": facts})


def set_up(file: Path | None = None) -> None:
    """Write every line to stderr and, given a file, to that file, which is rotated."""
    on_screen = logging.StreamHandler(sys.stderr)
    on_screen.setFormatter(ForPeople() if sys.stderr.isatty() else AsJson())
    handlers: list[logging.Handler] = [on_screen]
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        in_file = RotatingFileHandler(file, maxBytes=FILE_BYTES, backupCount=FILES_KEPT)
        in_file.setFormatter(AsJson())
        handlers.append(in_file)
    logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
    for chatty in ("alembic", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    # It warns of every damaged form. Its client is told, and anybody could fill the log.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    # A full disk must not break what still works.
    logging.raiseExceptions = False


class AsJson(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": clock.now().isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name.removeprefix("penstock."),
            "message": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


class ForPeople(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{name}={value}" for name, value in _facts(record).items())
        mark = "" if record.levelno < logging.WARNING else f"{record.levelname.lower()}: "
        text = f"{clock.now():%H:%M:%S} {mark}{record.getMessage()} {facts}".rstrip()
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "facts", {})
