"""A port at which connections are refused, and stay refused while other tests start servers."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager

LOOPBACK = "127.0.0.1"


@contextmanager
def refusing_port(port: int = 0) -> Generator[int]:
    """Holds a port of this machine without listening there: a free one, or one whose server has just closed.

    A port that is only known to be free may be that of the next server of another test."""
    with socket.socket() as held:
        if port:  # connections of the server that has closed may still be in TIME_WAIT
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((LOOPBACK, port))
        yield held.getsockname()[1]


@contextmanager
def refusing_url() -> Generator[str]:
    with refusing_port() as port:
        yield f"http://{LOOPBACK}:{port}"
