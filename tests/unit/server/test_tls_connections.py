"""The TLS port against clients that send too much, or nothing."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
from collections.abc import Generator
from contextvars import ContextVar
from typing import Any

import httpx
import pytest

from penstock.foundation.admission import Admission
from penstock.server import tls_connections
from penstock.server.limits import HEAD_BYTES, HEADERS
from penstock.server.tls_connections import TlsConnections
from tests.support.http2 import Http2
from tests.support.patience import PATIENCE
from tests.unit.server.tls_serving import Application, Serving

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    each = Serving(tmp_path_factory.mktemp("tls"))
    yield each
    each.stop()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that a test can wait for."""
    monkeypatch.setattr(tls_connections, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(tls_connections, "IDLE_SECONDS", 0.5)


def connect(serving: Serving) -> socket.socket:
    return socket.create_connection(("127.0.0.1", serving.secure_port), timeout=PATIENCE)


def secure(serving: Serving, plain: socket.socket, *protocols: str) -> ssl.SSLSocket:
    context = serving.context
    context.set_alpn_protocols(list(protocols))
    return context.wrap_socket(plain, server_hostname="127.0.0.1")


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("words", [b"", b"\x16\x03\x01\x02\x00\x01"])
def test_a_handshake_that_does_not_end_is_cut(serving: Serving, words: bytes) -> None:
    with connect(serving) as connection:
        connection.sendall(words)
        assert connection.recv(100) == b""


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("protocol", "words"), [("http/1.1", b"GET / HTT"), ("http/1.1", b""), ("h2", b"")])
def test_a_connection_without_a_whole_request_is_closed(serving: Serving, protocol: str, words: bytes) -> None:
    with connect(serving) as plain, secure(serving, plain, protocol) as connection:
        connection.sendall(words)
        with pytest.raises((ssl.SSLEOFError, ConnectionError)):
            read_all(connection)


def send_pieces(connection: ssl.SSLSocket, piece: bytes, times: int) -> None:
    for _ in range(times):
        connection.sendall(piece)


def read_all(connection: ssl.SSLSocket) -> None:
    while connection.recv(65536):
        pass
    raise ConnectionError("closed")


@pytest.mark.usefixtures("hurried")
def test_an_idle_http2_connection_is_closed(serving: Serving) -> None:
    with Http2("127.0.0.1", serving.secure_port, serving.authority) as client:
        client.ask("/e/", {}, 1)
        assert client.statuses == {1: 201}
        assert client.is_closed_within(PATIENCE)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("http2", [True, False])
def test_a_request_that_takes_long_is_not_idle(serving: Serving, http2: bool) -> None:
    serving.app.is_asked.clear()
    serving.app.may_answer.clear()
    timer = threading.Timer(2, serving.app.may_answer.set)
    with httpx.Client(verify=serving.context, http2=http2, timeout=PATIENCE, base_url=serving.secure_url) as client:
        timer.start()
        assert client.get("/wait").json() == "late"


@pytest.mark.parametrize("http2", [True, False])
@pytest.mark.parametrize(
    "headers", [{"x-large": "a" * HEAD_BYTES}, {f"x-{number}": "a" for number in range(HEADERS + 1)}]
)
def test_headers_over_the_limit_are_refused(serving: Serving, http2: bool, headers: dict[str, str]) -> None:
    with httpx.Client(verify=serving.context, http2=http2, timeout=PATIENCE, base_url=serving.secure_url) as client:
        assert client.get("/e/", headers=headers).status_code == 431
        assert client.get("/e/").status_code == 201


def test_a_header_line_of_100_megabytes_is_cut(serving: Serving) -> None:
    with connect(serving) as plain, secure(serving, plain, "http/1.1") as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Large: ")
        with pytest.raises(OSError):
            send_pieces(connection, b"a" * MEGABYTE, 100)
    assert httpx.get(f"{serving.secure_url}/e/", verify=serving.context).status_code == 201


IS_SLOW = ContextVar("is_slow", default=False)
"""Set where the test runs, and in the threads that it starts; the stack beside it lists files of its own."""


class SlowListing:
    """Lists of files that take until the test has gone on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_end, self.ended_in_time = threading.Event(), list[bool]()
        for name in ("listdir", "scandir"):
            monkeypatch.setattr(os, name, self._slow(getattr(os, name)))

    def _slow(self, usual: Any) -> Any:
        def list_files(*place: Any) -> Any:
            if IS_SLOW.get():
                self.ended_in_time.append(self.may_end.wait(PATIENCE))
            return usual(*place)

        return list_files


def test_the_event_loop_does_not_wait_while_open_files_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = SlowListing(monkeypatch)

    async def check_twice() -> None:
        IS_SLOW.set(True)
        connections = TlsConnections(Application(), Admission(), 1)
        connections.check()
        await asyncio.sleep(0)
        connections.check()
        await asyncio.sleep(0)
        listing.may_end.set()

    asyncio.run(check_twice())

    assert listing.ended_in_time == [True]
