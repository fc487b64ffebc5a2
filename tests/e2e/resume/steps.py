"""Every step by which a run writes to disk, counted; one of them may be its last.

Python itself tells before it calls a function that is written in C, and only such functions write, sync, move and
remove files. So a run can be killed before each of them without knowing what its code looks like.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

CALLS = frozenset({"fsync", "replace", "unlink", "rmdir", "mkdir", "chmod"})
METHODS = frozenset({"write", "flush", "truncate", "close"})
IMPORTS = "<frozen importlib"
FILES = (io.BufferedWriter, io.BufferedRandom)


class Steps:
    """Counts from the moment it is begun, in all threads."""

    def __init__(self, last: int = 0) -> None:
        self.labels: list[str] = []
        """Who took each step, and which one it was."""
        self._last = last

    def begin(self) -> None:
        threading.setprofile(self._see)
        sys.setprofile(self._see)

    def end(self) -> None:
        sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, function: Any) -> None:
        if event != "c_call" or not _is_step(function) or frame.f_code.co_filename.startswith(IMPORTS):
            return
        self.labels.append(f"{Path(frame.f_code.co_filename).stem} {frame.f_code.co_name} {function.__name__}")
        if len(self.labels) == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


def _is_step(function: Any) -> bool:
    name, owner = function.__name__, getattr(function, "__self__", None)
    if isinstance(owner, FILES):
        return name in METHODS
    return name in CALLS and getattr(owner, "__name__", "") == "posix"
