"""Starts guards with the server of this process, which is started for the first one and ends with this process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from penstock.runtime import guard_server


def start_guard(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[int, int, int],
    descriptors: Sequence[int],
) -> None:
    """`streams` become its standard input, output and error; the other descriptors keep their numbers. The caller
    closes all of them."""
    words = [str(folder), " ".join(map(str, descriptors)), str(len(arguments)), *arguments]
    words += [f"{name}={value}" for name, value in environment.items()]
    if any("\0" in word for word in words):
        raise ValueError("A program cannot be started with a NUL character in its arguments or environment.")
    request = os.fsencode("\0".join(words))
    _SERVER.send(len(request).to_bytes(guard_server.HEAD_BYTES, "little") + request, [*streams, *descriptors])


class _Server:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def send(self, content: bytes, descriptors: list[int]) -> None:
        with self._lock:
            if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
                self._start()
            try:
                self._send(content, descriptors)
            except ConnectionError:  # it was killed, and has started nothing
                self._start()
                self._send(content, descriptors)

    def _send(self, content: bytes, descriptors: list[int]) -> None:
        assert self._socket
        sent = socket.send_fds(self._socket, [content], descriptors)
        self._socket.sendall(content[sent:])
        if not self._socket.recv(1):
            raise ConnectionResetError

    def _start(self) -> None:
        if self._socket:
            self._socket.close()
        if self._process and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._socket, child_end = socket.socketpair()
        with child_end:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", guard_server.__file__],
                stdin=child_end.fileno(),
                stdout=subprocess.DEVNULL,
                env={},
                cwd="/",
                start_new_session=True,
            )
        self._owner = os.getpid()


_SERVER = _Server()
