"""Locks between processes: a file that one process at a time holds. The system releases it when its holder dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def exclusive(path: Path) -> Generator[None]:
    """Wait until nobody else holds the lock, then hold it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def shared(path: Path) -> Generator[None]:
    """Hold the lock together with others; whoever wants it alone waits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def try_to_hold(path: Path) -> IO[str] | None:
    """Hold the lock for as long as the returned file is open; None when another process has it.

    The holder's process id is written inside, for whoever finds it taken.
    """
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def is_held(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def holder_of(path: Path) -> str:
    return path.read_text().strip() or "unknown"
