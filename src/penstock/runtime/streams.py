"""A program's output, line by line: printable, of bounded length, and the last of it kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import IO

from penstock.runtime.launch import Clean

LINE_BYTES = 200_000
TAIL_LINES = 50
TAIL_LINE_CHARACTERS = 4000
_SLACK_BYTES = 65_536
"""Read beyond the cut, so that a secret which stands there is recognised."""
# A database may refuse NUL, and a terminal may obey the others.
_UNPRINTABLE = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if code != ord("\t")}


class Tail:
    """The last lines that were written."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=TAIL_LINES)

    def add(self, line: str) -> None:
        self._lines.append(line[:TAIL_LINE_CHARACTERS])

    @property
    def text(self) -> str:
        return "\n".join(self._lines).strip()


def listen(stream: IO[bytes], clean: Clean, tell: Callable[[str], object]) -> threading.Thread:
    """Pass on every line, in a separate thread, until the stream ends."""
    thread = threading.Thread(target=_tell_lines, args=(stream, clean, tell), daemon=True)
    thread.start()
    return thread


def _tell_lines(stream: IO[bytes], clean: Clean, tell: Callable[[str], object]) -> None:
    with stream:
        while line := stream.readline(LINE_BYTES + _SLACK_BYTES):
            rest = 0 if line.endswith(b"\n") else _skip_line(stream)
            if text := read_text(line, rest, clean):
                tell(text)


def read_text(line: bytes, rest: int, clean: Clean) -> str:
    """A line to show, and how much of it is missing."""
    said = line.rstrip(b"\r\n")
    text = clean(said, LINE_BYTES).translate(_UNPRINTABLE)
    missing = max(0, len(said) - LINE_BYTES) + rest
    return f"{text} … ({missing:,} bytes of this line were left out)" if missing else text


def _skip_line(stream: IO[bytes]) -> int:
    """Skip the rest of the line: a component cannot fill the memory of the worker."""
    skipped = 0
    while piece := stream.readline(LINE_BYTES):
        skipped += len(piece.rstrip(b"\r\n"))
        if piece.endswith(b"\n"):
            break
    return skipped
