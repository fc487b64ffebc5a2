"""Unix sockets in folders of any depth: the system allows about a hundred characters for the path of one."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def _short(path: Path) -> Generator[str]:
    """The same path through a descriptor of its folder, where the system offers that."""
    if sys.platform != "linux":
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def listen(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with _short(path) as address:
        listener.bind(address)
    listener.listen(128)
    return listener


def connect(path: Path, seconds: float) -> socket.socket:
    """Raises OSError if nobody listens."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.settimeout(seconds)
    try:
        with _short(path) as address:
            line.connect(address)
    except BaseException:
        line.close()
        raise
    return line
