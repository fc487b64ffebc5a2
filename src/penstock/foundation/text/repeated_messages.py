"""Messages that a job would show twice: programs write their error on both streams, and it is also the job's own."""

from __future__ import annotations


def repeats(message: str | None, line: str) -> bool:
    """Whether a line of the log says the message, which may be cut, or have other line breaks."""
    return bool(message) and _one_line(line).startswith(_one_line(message or ""))


def _one_line(text: str) -> str:
    return " ".join(text.split())
