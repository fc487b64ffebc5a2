"""A program's output, line by line: printable, of bounded length, and the last of it kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from io import BufferedReader
from typing import IO, cast

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


class Content:
    """What was written, as it is, up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit, self._chunks, self._size = limit, list[bytes](), 0
        self.is_cut = False

    def add(self, chunk: bytes) -> None:
        stored = chunk[: self._limit - self._size]
        self.is_cut = self.is_cut or len(stored) < len(chunk)
        self._chunks.append(stored)
        self._size += len(stored)

    @property
    def bytes(self) -> bytes:
        return b"".join(self._chunks)


def collect(stream: IO[bytes], content: Content) -> threading.Thread:
    """Read everything, in a separate thread, until the stream ends: a program never waits for its output to be read."""
    thread = threading.Thread(target=_collect, args=(stream, content), daemon=True)
    thread.start()
    return thread


def _collect(stream: IO[bytes], content: Content) -> None:
    with stream:
        while chunk := cast(BufferedReader, stream).read1(_SLACK_BYTES):
            content.add(chunk)


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
    """Return a line to show, and how much of it is missing."""
    said = line.rstrip(b"\r\n")
    text = clean(said, LINE_BYTES).translate(_UNPRINTABLE)
    missing = max(0, len(said) - LINE_BYTES) + rest
    return f"{text} … ({missing:,} bytes of this line were left out)" if missing else text


def _skip_line(stream: IO[bytes]) -> int:
    """Skip the rest of the line: a component cannot fill the memory of the worker."""
    skipped = 0
    while chunk := stream.readline(LINE_BYTES):
        skipped += len(chunk.rstrip(b"\r\n"))
        if chunk.endswith(b"\n"):
            break
    return skipped
