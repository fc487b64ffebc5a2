"""Locks between processes: a file that one process at a time holds. The system releases it when the process dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

MIN_PAUSE, MAX_PAUSE = 0.001, 0.05


@contextmanager
def exclusive(path: Path, check: Callable[[], None] | None = None) -> Generator[None]:
    """Acquire the lock, waiting if needed. `check` is called while waiting, and raises to give up."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _open(path) as file:
        if check:
            _poll(file, check)
        else:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _open(path: Path) -> IO[str]:
    """Open or create the file for its owner only, whatever the umask of the command is."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600), "a+")


def _poll(file: IO[str], check: Callable[[], None]) -> None:
    """A blocking wait cannot be cancelled, so poll."""
    pause = MIN_PAUSE
    while not _try(file):
        check()
        time.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE)


def _try(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def shared(path: Path) -> Generator[None]:
    """Acquire the lock shared with others; an exclusive holder waits for all of them."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _open(path) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def try_to_hold(path: Path) -> IO[str] | None:
    """Acquire the lock for as long as the returned file is open; None if another process has it.

    The holder's process id is written to the file, for error messages.
    """
    file = _open(path)
    if not _try(file):
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
