"""A port of one run's own, to which its component sends records: tcp, udp or http."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from penstock.runtime.gelf.messages import RECORD_BYTES, Chunks, RecordTooLarge, open_message
from penstock.runtime.gelf.records import Record, read_record

LOOPBACK = "127.0.0.1"
_PATIENCE_SECONDS = 0.2
_POLL_SECONDS = 0.05


class Listener:
    """Use as a context manager around the run; afterwards everything that was sent has been told.

    A record that is too large is a problem: it is logged once, and the run should end with it.
    """

    def __init__(
        self,
        kind: str,
        on_record: Callable[[Record], object],
        on_problem: Callable[[str], object] = lambda _problem: None,
        host: str = LOOPBACK,
    ) -> None:
        self._on_record, self._on_problem = on_record, on_problem
        self._chunks = Chunks()
        self.problem = ""
        self._server = _SERVERS.get(kind, _Tcp)(self, host)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True)

    @property
    def address(self) -> tuple[str, int]:
        return self._server.server_address[0], self._server.server_address[1]

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.finish_all()
        self._server.server_close()

    def take(self, message: bytes) -> None:
        opened = open_message(message)
        record = read_record(opened) if opened else None
        if record and not self.problem:
            self._on_record(record)

    def take_datagram(self, datagram: bytes) -> None:
        if message := self._chunks.add(datagram):
            self.take(message)

    def fail(self, error: RecordTooLarge) -> None:
        if not self.problem:
            self.problem = str(error)
            self._on_problem(self.problem)


class _Server(socketserver.BaseServer):
    """What the three have in common."""

    server_address: Any
    timeout = 0
    is_closing = False
    is_empty = False

    def __init__(self, listener: Listener, host: str, handler: Callable[..., Any]) -> None:
        self.listener = listener
        super().__init__((host, 0), handler)

    def finish_all(self) -> None:
        """Take what has arrived and was not looked at yet."""
        self.is_closing = True
        while not self.is_empty:
            self.handle_request()

    def handle_timeout(self) -> None:
        self.is_empty = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks is the component's business; the base class would print it on our stderr."""


class _Tcp(_Server, socketserver.ThreadingTCPServer):
    def __init__(self, listener: Listener, host: str) -> None:
        super().__init__(listener, host, _Connection)


class _Http(_Server, socketserver.ThreadingTCPServer):
    def __init__(self, listener: Listener, host: str) -> None:
        super().__init__(listener, host, _Request)


class _Udp(_Server, socketserver.UDPServer):
    max_packet_size = 65_536

    def __init__(self, listener: Listener, host: str) -> None:
        super().__init__(listener, host, _Datagram)


class _Connection(socketserver.BaseRequestHandler):
    """Records with a NUL after each."""

    def handle(self) -> None:
        self._owner = cast(_Server, self.server)
        self.request.settimeout(_PATIENCE_SECONDS)
        try:
            self._read(self._owner.listener)
        except RecordTooLarge as error:
            self._owner.listener.fail(error)

    def _read(self, listener: Listener) -> None:
        rest = b""
        while (chunk := self._receive()) is not None:
            *messages, rest = (rest + chunk).split(b"\0")
            for message in messages:
                listener.take(message)
            if len(rest) > RECORD_BYTES:
                raise RecordTooLarge
        listener.take(rest)

    def _receive(self) -> bytes | None:
        """Return None at the end: of what is sent, or of the run."""
        try:
            return self.request.recv(65_536) or None
        except TimeoutError:
            return None if self._owner.is_closing else b""
        except OSError:
            return None


class _Datagram(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        listener = cast(_Server, self.server).listener
        try:
            listener.take_datagram(self.request[0])
        except RecordTooLarge as error:
            listener.fail(error)


class _Request(BaseHTTPRequestHandler):
    """A record as the body of a POST."""

    timeout = 5

    def do_POST(self) -> None:
        listener = cast(_Server, self.server).listener
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self._reply(411)
        try:
            if int(length) > RECORD_BYTES:
                raise RecordTooLarge
            listener.take(self.rfile.read(int(length)))
        except RecordTooLarge as error:
            listener.fail(error)
            return self._reply(413)
        return self._reply(202)

    def _reply(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing: the log that matters is the component's."""


_SERVERS = {"tcp": _Tcp, "udp": _Udp, "http": _Http}
