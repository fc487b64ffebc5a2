from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Sequence

import pytest

from penstock.foundation.outbound import Gate, OutboundError, TimedOut, Unreachable, call
from tests.support.patience import PATIENCE
from tests.support.refusing import refusing_port
from tests.unit.foundation.outbound.servers import OPEN, Server, fetch, knowing, ok, writing

Serve = Callable[..., Server]
SECRET = "/path-secret?token=query-secret"
PROTOCOL = "did not respond with valid HTTP"
CUT = "cut short"


def sending(*parts: bytes, pause: float = 0.0) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    async def write(writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)

    return write


def resetting(*parts: bytes) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    async def write(writer: asyncio.StreamWriter) -> None:
        await sending(*parts, pause=0.05)(writer)
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return write


@pytest.mark.parametrize(
    ("write", "kind", "sentence"),
    [
        (sending(), "empty", "closed the connection before it responded"),
        (sending(b"HTTP/1.1 200"), "receive", "closed the connection in the middle of the response's head"),
        (sending(b"HTTP/1.1 200 OK\r\nA:"), "receive", "closed the connection in the middle of the response's head"),
        (resetting(), "receive", "was lost: connection reset by peer"),
        (resetting(b"HTTP/1.1 200 OK\r\nA:"), "receive", "was lost: connection reset by peer"),
        (resetting(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123"), "cut", CUT),
        (sending(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123"), "cut", CUT),
        (sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n"), "cut", CUT),
        (sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n123"), "cut", CUT),
        (sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), "protocol", PROTOCOL),
        (sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"), "protocol", PROTOCOL),
        (sending(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n1234"), "protocol", PROTOCOL),
        (
            sending(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "protocol",
            PROTOCOL,
        ),
        (sending(b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n123"), "protocol", PROTOCOL),
        (sending(b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n123"), "protocol", PROTOCOL),
        (sending(b"SSH-2.0-OpenSSH_9.6\r\n"), "protocol", PROTOCOL),
        (sending(b"HTTP/1.1 99999 Strange\r\n\r\n"), "protocol", PROTOCOL),
        (sending(b"\x00" * 100), "protocol", PROTOCOL),
        (sending(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000 + b"\r\n\r\n"), "protocol", PROTOCOL),
        (sending(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000 + b"\r\n"), "protocol", PROTOCOL),
    ],
)
def test_a_server_that_breaks_off_or_breaks_the_rules(
    write: Callable[[asyncio.StreamWriter], Awaitable[None]], kind: str, sentence: str, serve: Serve
):
    server = serve(writing(write))

    with pytest.raises(Unreachable, match=sentence) as caught:
        fetch(server.url(SECRET), timeout=PATIENCE)
    assert caught.value.kind == kind
    assert "127.0.0.1" in str(caught.value)
    assert_tells_no_secret(caught.value)


@pytest.mark.parametrize(
    "write",
    [
        sending(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", ok()),
        sending(b"HTTP/1.0 200 OK\r\n\r\nok"),
        sending(b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
        sending(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 30_000 + b"\r\nContent-Length: 2\r\n\r\nok"),
        sending(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"Content-Length: 2\r\n\r\nok"),
        sending(b"HTTP/1.1 200 OK\r\nX: \xff\xfe\r\nContent-Length: 2\r\n\r\nok"),
    ],
)
def test_a_server_that_is_only_odd_is_understood(
    write: Callable[[asyncio.StreamWriter], Awaitable[None]], serve: Serve
):
    assert fetch(serve(writing(write)).url()).body == b"ok"


def test_bytes_after_the_announced_length_never_reach_the_next_answer(serve: Serve):
    responses = iter([b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\nsmuggled", ok(b"second")])
    server = serve(lambda _: next(responses))

    async def send_twice() -> bytes:
        async with Gate(OPEN) as gate:
            try:
                assert (await gate.send("GET", server.url("/1"))).body == b"ok"
            except Unreachable as error:
                assert error.kind == "protocol"  # noqa: PT017
            await asyncio.sleep(0.05)
            return (await gate.send("GET", server.url("/2"))).body

    assert call(send_twice()) == b"second"


def test_an_unknown_host():
    with pytest.raises(Unreachable) as caught:
        fetch("http://nope.invalid" + SECRET, OPEN, knowing())

    assert str(caught.value) == "Could not resolve host: nope.invalid"
    assert caught.value.kind == "resolve"


def test_a_lookup_that_finds_nothing_is_an_unknown_host():
    with pytest.raises(Unreachable, match=r"Could not resolve host: empty\.test"):
        fetch("http://empty.test/", OPEN, knowing(empty_test=[]))


@pytest.mark.parametrize("host", ["127.0.0.1", "api.localhost", "api.test"])
def test_a_port_without_a_server(host: str):
    with refusing_port() as port, pytest.raises(Unreachable) as caught:
        fetch(f"http://{host}:{port}{SECRET}", OPEN, knowing(api_test="127.0.0.1"))

    assert str(caught.value) == f"Failed to connect to {host} port {port}: connection refused"
    assert caught.value.kind == "connect"
    assert_tells_no_secret(caught.value)


def test_a_closed_kept_connection_is_opened_again(serve: Serve):
    async def answer_and_hang_up(writer: asyncio.StreamWriter) -> None:
        writer.write(ok())
        await writer.drain()

    server = serve(writing(answer_and_hang_up))

    async def send_often() -> None:
        async with Gate(OPEN) as gate:
            for _ in range(20):
                assert (await gate.send("GET", server.url())).body == b"ok"

    call(send_often())


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
def test_a_host_that_hangs_up_on_a_new_connection_is_not_asked_again(method: str, serve: Serve):
    server = serve(writing(sending()))

    with pytest.raises(Unreachable, match="closed the connection before it responded"):
        fetch(server.url(), method=method)
    assert len(server.requests) == 1


@pytest.mark.parametrize("end", [sending(), resetting()])
@pytest.mark.parametrize(("method", "times"), [("GET", 2), ("PUT", 2), ("POST", 1), ("PATCH", 1)])
def test_a_kept_connection_that_ends_is_replaced_once_but_never_with_a_post(
    method: str, times: int, end: Callable[[asyncio.StreamWriter], Awaitable[None]], serve: Serve
):
    hang_up = writing(end)
    server = serve(lambda request: ok() if request.path == "/first" else hang_up(request))

    async def send_twice() -> None:
        async with Gate(OPEN) as gate:
            await gate.send("GET", server.url("/first"))
            await gate.send(method, server.url("/second"), body=None if method == "GET" else b"{}")

    with pytest.raises(Unreachable) as caught:
        call(send_twice())
    assert caught.value.kind in ("empty", "receive")
    assert [request.path for request in server.requests] == ["/first"] + ["/second"] * times


@pytest.mark.parametrize("end", [sending, resetting])
@pytest.mark.parametrize("length", [b"Content-Length: 9\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n9\r\n"])
def test_what_came_of_a_body_that_is_cut_short_can_be_used(
    length: bytes, end: Callable[..., Callable[[asyncio.StreamWriter], Awaitable[None]]], serve: Serve
):
    server = serve(writing(end(b"HTTP/1.1 404 Not Found\r\n" + length + b"123")))

    with pytest.raises(Unreachable) as caught:
        fetch(server.url())
    assert (caught.value.kind, caught.value.status, caught.value.body) == ("cut", 404, b"123")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_deadline_covers_an_answer_that_never_comes(method: str, serve: Serve):
    server = serve(writing(sending(b"", pause=120)))

    start = time.perf_counter()
    with pytest.raises(TimedOut) as caught:
        fetch(server.url(SECRET), method=method, timeout=0.3)

    assert 0.27 < time.perf_counter() - start < 60
    assert str(caught.value) == "127.0.0.1 did not finish its response within 0.3 seconds."
    assert caught.value.kind == "timeout"
    assert_tells_no_secret(caught.value)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"])
def test_a_slow_drip_runs_into_the_deadline(head: bytes, serve: Serve):
    server = serve(writing(sending(head, *[b"x"] * 100, pause=0.05)))

    with pytest.raises(TimedOut, match=r"within 0\.4 seconds"):
        fetch(server.url(), timeout=0.4)


def test_a_deadline_covers_all_redirects_together(serve: Serve):
    server = serve(writing(sending(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", pause=0.15)))

    with pytest.raises(TimedOut):
        fetch(server.url(), timeout=0.4)


def test_a_slow_lookup_runs_into_the_connect_timeout():
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(60)
        return []

    with pytest.raises(TimedOut, match=r"Failed to connect to api\.test port 80 within 0\.2 seconds"):
        fetch("http://api.test" + SECRET, OPEN, never, connect_timeout=0.2)


def test_a_host_that_takes_no_connection_runs_into_the_connect_timeout():
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        try:
            with pytest.raises(TimedOut, match=f"127.0.0.1 port {port} within 0.3 seconds"):
                fetch(f"http://127.0.0.1:{port}/", connect_timeout=0.3)
        finally:
            for one in waiting:
                one.close()


@pytest.mark.faults
def test_a_drip_of_one_byte_a_second_ends_on_time(serve: Serve):
    server = serve(writing(sending(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n", *[b"x"] * 300, pause=1)))

    start = time.perf_counter()
    with pytest.raises(TimedOut):
        fetch(server.url(), timeout=3)

    assert 2.7 < time.perf_counter() - start < 60


def assert_tells_no_secret(error: OutboundError) -> None:
    assert "secret" not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
