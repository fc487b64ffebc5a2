"""A component's process: started with a clean environment, listened to, stopped when it must."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from penstock.runtime import guard

LINE_BYTES = 200_000
ERROR_LINES = 50
DRAIN_SECONDS = 5.0
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")


class Ended(msgspec.Struct, frozen=True):
    exit_code: int
    errors: str
    """The last lines that it wrote on standard error."""


class Process:
    """Runs until it ends by itself or stop() is called; every line of its output goes to `on_line` as it comes."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], on_line: Callable[[str], None]
    ) -> None:
        clean = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, *command],
            cwd=folder,
            env={**clean, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._child.stdout
        assert self._child.stderr
        self._readers = [
            _listen(self._child.stdout, on_line),
            _listen(self._child.stderr, self._errors.append),
        ]

    def wait(self, timeout: float | None = None) -> Ended | None:
        """How it ended; None if it has not within the time."""
        try:
            code = self._child.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        for reader in self._readers:
            # Not for ever: what the component set free may hold its output open long after it has ended.
            reader.join(DRAIN_SECONDS)
        return Ended(code, "\n".join(self._errors).strip())

    def stop(self) -> None:
        """End it now, with everything that it started."""
        if self._child.stdin:
            with suppress(OSError):
                self._child.stdin.close()


def python_command(module: str, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-I", "-m", module, *arguments]


def _listen(stream: IO[bytes], tell: Callable[[str], object]) -> threading.Thread:
    thread = threading.Thread(target=_read_lines, args=(stream, tell), daemon=True)
    thread.start()
    return thread


def _read_lines(stream: IO[bytes], tell: Callable[[str], object]) -> None:
    """A line longer than the limit comes in pieces: a component cannot fill our memory."""
    with stream:
        while line := stream.readline(LINE_BYTES):
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if text:
                tell(text)
