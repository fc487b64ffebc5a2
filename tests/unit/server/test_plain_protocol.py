"""The plain port against clients that send too much, or too slowly, before they are authenticated."""

from __future__ import annotations

import resource
import socket
import struct
import threading
import time
from contextlib import ExitStack, suppress
from http.client import HTTPResponse

import pytest
from starlette.types import Receive, Scope, Send

from penstock.foundation.admission import MAX_LINGERING
from penstock.server import plain_protocol
from penstock.server.limits import HEAD_BYTES, HEADERS
from penstock.server.sockets import open_sockets
from penstock.web import slow_bodies
from tests.support.http import Response
from tests.support.patience import PATIENCE
from tests.support.server import ServerInThread
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.server.tls_serving import Application
from tests.unit.web import raw

PATH = "/_svc/storage/v2/storage/tokens/verify"
CONFIGS = "/_svc/storage/v2/storage/components/ex-generic-v2/configs"
MEGABYTE = 1024 * 1024


def head(services: ServicesOnly, *lines: str, method: str = "GET", path: str = PATH) -> bytes:
    token = f"X-StorageApi-Token: {services.project.token}"
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", token, *lines, "", ""]).encode()


def send(services: ServicesOnly, *pieces: bytes) -> Response:
    """What comes back, although not everything could be sent."""
    with connect(services) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                break
        return read(connection)


def connect(services: ServicesOnly) -> socket.socket:
    return socket.create_connection(("127.0.0.1", services.port), timeout=PATIENCE)


def read(connection: socket.socket) -> Response:
    received = b""
    while part := connection.recv(65536):
        received += part
    return raw.read_response(received)


def send_pieces(connection: socket.socket, piece: bytes, times: int, pause: float = 0.0) -> None:
    for _ in range(times):
        connection.sendall(piece)
        time.sleep(pause)


def check_refusal(response: Response, status: int) -> None:
    assert (response.status, response.json["code"], response.json["status"]) == (status, status, "error")
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["connection"] == "close"


def test_headers_within_the_limit_are_taken(shared: ServicesOnly) -> None:
    lines = [f"X-{number}: a" for number in range(HEADERS - 4)]

    assert send(shared, head(shared, "Connection: close", *lines)).status == 200
    assert send(shared, head(shared, "Connection: close", "X-Large: " + "a" * (HEAD_BYTES - 1000))).status == 200


@pytest.mark.parametrize("lines", [["X-Large: " + "a" * HEAD_BYTES], [f"X-{number}: a" for number in range(HEADERS)]])
def test_headers_over_the_limit_are_refused(shared: ServicesOnly, lines: list[str]) -> None:
    check_refusal(send(shared, head(shared, *lines)), 431)


def test_a_url_over_the_limit_is_refused(shared: ServicesOnly) -> None:
    check_refusal(send(shared, head(shared, path=f"{PATH}?{'a' * HEAD_BYTES}")), 414)


@pytest.mark.parametrize("name", ["X-Large: ", "a" * 100])
def test_a_header_line_of_100_megabytes_costs_neither_time_nor_memory(shared: ServicesOnly, name: str) -> None:
    before, since = resource.getrusage(resource.RUSAGE_SELF), time.thread_time()
    response = send(shared, head(shared)[:-2] + name.encode(), *[b"a" * MEGABYTE] * 100)
    after = resource.getrusage(resource.RUSAGE_SELF)

    check_refusal(response, 431)
    assert after.ru_maxrss - before.ru_maxrss < 30_000
    assert time.thread_time() - since + after.ru_utime - before.ru_utime < 20, (
        "what came before was looked through again and again"
    )
    assert shared.service("storage").get("/v2/storage/tokens/verify").status == 200


@pytest.mark.parametrize("path", [PATH, CONFIGS])
def test_trailers_over_the_limit_are_cut(shared: ServicesOnly, path: str) -> None:
    with connect(shared) as connection:
        connection.sendall(head(shared, "Transfer-Encoding: chunked", method="POST", path=path))
        connection.sendall(b"1\r\na\r\n0\r\nX-Large: ")
        with pytest.raises(ConnectionError):
            send_pieces(connection, b"a" * MEGABYTE, 20)
    assert shared.service("storage").get("/v2/storage/tokens/verify").status == 200


@pytest.mark.parametrize("words", [b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n"])
def test_what_is_not_http_is_refused_in_json(shared: ServicesOnly, words: bytes) -> None:
    check_refusal(send(shared, words), 400)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that a test can wait for."""
    monkeypatch.setattr(plain_protocol, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(plain_protocol, "UNREAD_SECONDS", 0.5)
    monkeypatch.setattr(slow_bodies, "BODY_SECONDS", 0.5)


@pytest.mark.usefixtures("hurried")
def test_a_head_that_does_not_end_is_cut(shared: ServicesOnly) -> None:
    check_refusal(send(shared, head(shared)[:-2]), 408)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("words", [b"", b"\r\n", b"\r\n\r\n"])
def test_a_connection_without_a_request_is_closed(shared: ServicesOnly, words: bytes) -> None:
    with connect(shared) as connection:
        connection.sendall(words)
        assert connection.recv(100) == b""


@pytest.mark.usefixtures("hurried")
def test_the_next_head_on_a_connection_is_cut_too(shared: ServicesOnly) -> None:
    with connect(shared) as connection:
        connection.sendall(head(shared))
        response = HTTPResponse(connection)
        response.begin()
        assert (response.status, len(response.read())) == (200, int(response.headers["Content-Length"]))
        connection.sendall(b"\r\n")
        assert connection.recv(65536) == b""


@pytest.mark.usefixtures("hurried")
def test_a_body_that_does_not_come_is_cut(shared: ServicesOnly) -> None:
    response = send(shared, head(shared, "Content-Length: 100", method="POST", path=CONFIGS), b'{"name"')

    assert (response.status, response.json["code"]) == (408, "requestTimeout")
    assert response.headers["connection"] == "close"


@pytest.mark.usefixtures("hurried")
def test_a_body_that_drips_is_cut(shared: ServicesOnly) -> None:
    with connect(shared) as connection:
        connection.sendall(head(shared, "Content-Length: 100", method="POST", path=CONFIGS))
        connection.settimeout(0.1)
        received, deadline = b"", time.monotonic() + PATIENCE
        while not received and time.monotonic() < deadline:
            connection.sendall(b" ")
            try:
                received = connection.recv(65536)
            except TimeoutError:
                continue
    assert received.startswith(b"HTTP/1.1 408 ")


@pytest.mark.usefixtures("hurried")
def test_what_is_left_of_a_refused_body_is_read_for_a_while_only(shared: ServicesOnly) -> None:
    request = head(shared, "Content-Length: 100000000", method="POST", path=CONFIGS)
    with connect(shared) as connection:
        connection.sendall(request.replace(b"X-StorageApi-Token", b"X-Other"))
        assert connection.recv(65536).startswith(b"HTTP/1.1 401 ")
        with pytest.raises(ConnectionError):
            send_pieces(connection, b"a" * 1000, 1000, pause=0.02)


def test_a_quick_body_in_small_pieces_is_taken(shared: ServicesOnly) -> None:
    body = b'{"name": "in pieces"}'
    request = head(shared, f"Content-Length: {len(body)}", "Connection: close", method="POST", path=CONFIGS)

    assert send(shared, request, *(body[at : at + 1] for at in range(len(body)))).status == 201


def receive(connection: socket.socket) -> bytes:
    """Nothing if the connection was closed without a response."""
    with suppress(ConnectionError):
        return connection.recv(65536)
    return b""


def test_some_refused_connections_get_the_reason_and_more_are_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_protocol, "LINGER_SECONDS", 2 * PATIENCE)
    sockets = open_sockets("loopback", 0)
    address = sockets[0].getsockname()
    server = ServerInThread(Application(), sockets)
    server.server_state.admission.most = 0
    with ExitStack() as clients:

        def ask() -> bytes:
            return receive(clients.enter_context(socket.create_connection(address, timeout=PATIENCE)))

        told = [ask() for _ in range(MAX_LINGERING)]
        not_told = [ask() for _ in range(20)]
        open_ones = len(server.server_state.connections)
        monkeypatch.setattr(plain_protocol, "LINGER_SECONDS", 0.0)
        told_later = wait_for(ask)
    server.stop()

    assert all(each.startswith(b"HTTP/1.1 503 ") for each in [*told, told_later])
    assert not_told == [b""] * 20
    assert open_ones <= MAX_LINGERING + 1


def test_a_request_learns_that_its_client_has_left_although_another_waits_behind_it() -> None:
    seen = list[object]()
    ended = threading.Event()

    async def send_much(_scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            for _ in range(1_000):
                await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
            seen.append((await receive())["type"])
        except RuntimeError as error:  # it would be in the log, once for each connection
            seen.append(error)
        ended.set()

    sockets = open_sockets("loopback", 0)
    server = ServerInThread(send_much, sockets)
    with socket.create_connection(sockets[0].getsockname(), timeout=PATIENCE) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2)
        assert client.recv(1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert ended.wait(PATIENCE)
    server.stop()

    assert seen == ["http.disconnect"]
