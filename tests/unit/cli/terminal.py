"""A command in a pseudo-terminal: keys are typed, and what it shows is waited for."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for

CTRL_C, CTRL_D, TAB = "\x03", "\x04", "\t"


class Terminal:
    """The command has the terminal as its own, so that Ctrl-C is a signal for it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._screen, terminal = pty.openpty()
        self._process = subprocess.Popen(
            command,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(terminal)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        os.close(self._screen)

    def type(self, keys: str, until: str) -> str:
        """What is shown from then on, up to that text."""
        os.write(self._screen, keys.encode())
        return self.read(until)

    def interrupt(self, until: str) -> str:
        """Ctrl-C. Python sees one that comes between an echo and the wait for the next key only at that key."""
        wait_for(self._is_waiting)
        return self.type(CTRL_C, until)

    def _is_waiting(self) -> bool:
        """As Linux says it: the state follows the name, which is in parentheses."""
        return Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"

    def read(self, until: str) -> str:
        shown, end = "", time.monotonic() + PATIENCE
        while until not in shown:
            assert time.monotonic() < end, shown
            if select.select([self._screen], [], [], 1)[0]:
                shown += os.read(self._screen, 4096).decode()
        return shown

    def wait(self) -> int:
        return self._process.wait(PATIENCE)
