"""Plain HTTP to this machine: the same responses and errors as through the gate."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from penstock.foundation.outbound import OutboundError, Policy, TimedOut
from penstock.foundation.outbound.loopback import LocalResponse, Loopback, is_local
from tests.unit.foundation.outbound.servers import OPEN, Server, fetch, ok, redirect, writing
from tests.unit.foundation.outbound.test_failures import resetting, sending

Serve = Callable[..., Server]
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    opened = Loopback()
    yield opened
    opened.close()


def get(loopback: Loopback, url: str, **options: Any) -> LocalResponse:
    return loopback.send("GET", url, headers={}, **options)


@pytest.mark.parametrize(
    "reply",
    [
        ok(),
        ok(b""),
        ok(b"x" * 3_000_000),
        ok(b"not here", "404 Not Found"),
        ok(headers={"ETag": '"1"', "X-A": "b"}),
        b"HTTP/1.1 204 No Content\r\n\r\n",
        CHUNKED + b"2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
        HEAD + b"Connection: close\r\nContent-Length: 2\r\n\r\nok",
    ],
    ids=lambda reply: ascii(reply[:40]),
)
def test_responses_are_those_of_the_gate(reply: bytes, serve: Serve, loopback: Loopback) -> None:
    server = serve(reply)
    theirs, ours = fetch(server.url("/a?b=%20c")), [get(loopback, server.url("/a?b=%20c")) for _ in range(2)]
    written = io.BytesIO()
    into = get(loopback, server.url(), into=Into(written))

    for each in ours:
        assert (each.status, each.reason, each.body) == (theirs.status, theirs.reason, theirs.body)
        assert each.headers.get("etag") == theirs.headers.get("etag")
    assert (into.body, written.getvalue()) == (b"", theirs.body)
    assert {(seen.method, seen.path) for seen in server.requests[:3]} == {("GET", "/a?b=%20c")}


class Into:
    def __init__(self, file: io.BytesIO) -> None:
        self._file = file

    def write(self, piece: bytes) -> None:
        self._file.write(piece)


@pytest.mark.parametrize(
    "write",
    [
        sending(),
        resetting(),
        sending(HEAD + b"Content-Length: 9\r\n\r\n123"),
        resetting(HEAD + b"Content-Length: 9\r\n\r\n123"),
        sending(CHUNKED + b"3\r\n123\r\n"),
        sending(b"SSH-2.0-OpenSSH_9.6\r\n"),
        sending(b"\x00" * 100),
    ],
)
@pytest.mark.parametrize("is_written", [False, True])
def test_failures_are_those_of_the_gate(write: Any, is_written: bool, serve: Serve, loopback: Loopback) -> None:
    server = serve(writing(write))
    with pytest.raises(OutboundError) as theirs:
        fetch(server.url())
    with pytest.raises(OutboundError) as ours:
        get(loopback, server.url(), into=Into(io.BytesIO()) if is_written else None)

    assert (ours.value.kind, str(ours.value)) == (theirs.value.kind, str(theirs.value))


@pytest.mark.parametrize("host", ["127.0.0.1", "api.localhost"])
def test_a_port_without_a_server_is_named_as_by_the_gate(host: str, loopback: Loopback) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://{host}:{taken.getsockname()[1]}/"
        with pytest.raises(OutboundError) as theirs:
            fetch(url)
        with pytest.raises(OutboundError) as ours:
            get(loopback, url)

    assert (ours.value.kind, str(ours.value)) == (theirs.value.kind, str(theirs.value))


@pytest.mark.parametrize("head", [b"HTTP/1.1 200", HEAD + b"A:", HEAD, HEAD + b"ETag: 1\r\n"])
def test_a_head_that_breaks_off_is_never_taken_for_an_empty_response(
    head: bytes, serve: Serve, loopback: Loopback
) -> None:
    with pytest.raises(OutboundError):
        get(loopback, serve(writing(sending(head))).url())


def test_a_slow_server_is_given_up(serve: Serve, loopback: Loopback) -> None:
    server = serve(writing(sending(HEAD, b"A: b\r\n", pause=5)))

    with pytest.raises(TimedOut, match=r"did not finish its response within 0\.1 seconds"):
        get(loopback, server.url(), timeout=0.1)


def test_connections_are_used_again_until_the_server_closes_them(serve: Serve, loopback: Loopback) -> None:
    server = serve(ok())
    for _ in range(3):
        get(loopback, server.url())
    assert server.connections == 1

    leaving = serve(lambda request: ok() if request.path == "/1" else writing(sending(ok(b"bye")))(request))
    assert [get(loopback, leaving.url(path)).body for path in ("/1", "/2", "/1")] == [b"ok", b"bye", b"ok"]
    assert leaving.connections == 2


def test_a_request_on_a_connection_that_is_closed_just_then_is_sent_again_if_that_is_safe(
    serve: Serve, loopback: Loopback
) -> None:
    server = serve(lambda request: ok() if request.path != "/lost" else writing(sending())(request))
    get(loopback, server.url())
    with pytest.raises(OutboundError):
        get(loopback, server.url("/lost"))
    assert [seen.path for seen in server.requests] == ["/", "/lost", "/lost"]

    get(loopback, server.url())
    with pytest.raises(OutboundError):
        loopback.send("POST", server.url("/lost"), headers={}, body=b"x")
    assert [seen.path for seen in server.requests][3:] == ["/", "/lost"]


def test_many_threads_share_the_connections(serve: Serve, loopback: Loopback) -> None:
    server = serve(lambda request: ok(request.path.encode() * 1000))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: get(loopback, server.url(f"/{number}")).body, range(200)))

    assert found == [f"/{number}".encode() * 1000 for number in range(200)]
    assert server.connections <= 8


def test_a_redirect_is_returned_and_not_written(serve: Serve, loopback: Loopback) -> None:
    written = io.BytesIO()

    response = get(loopback, serve(redirect("/there", 307)).url(), into=Into(written))

    assert response.is_redirect
    assert written.getvalue() == b""


def test_a_full_disk_is_not_reported_as_a_lost_connection(serve: Serve, loopback: Loopback) -> None:
    class Full:
        def write(self, piece: bytes) -> None:
            raise OSError(28, "No space left on device", piece[:0])

    with pytest.raises(OSError, match="No space left on device"):
        get(loopback, serve(ok()).url(), into=Full())


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8300/a", True),
        ("http://127.9.9.9/a", True),
        ("http://[::1]:8300/", True),
        ("http://localhost:8300", True),
        ("http://connection.penstock.localhost:8300/", True),
        ("https://127.0.0.1:8300/a", False),
        ("http://localhost.example.com/", False),
        ("http://notlocalhost/", False),
        ("http://10.0.0.1/", False),
        ("http://0.0.0.0/", False),
        ("http://stack.example/", False),
        ("http:///", False),
        ("", False),
    ],
)
def test_only_plain_http_to_this_machine_is_local(url: str, expected: bool) -> None:
    assert is_local(OPEN, url) is expected


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(allow=("127.0.0.1",)),
        Policy(is_open=True, own_ports=(8300,)),
        Policy(is_open=True, own_names=("storage.test",)),
        Policy(is_open=True, own_hosts={"storage.test": "127.0.0.1:8300"}),
        Policy(is_open=True, mark="stack"),
    ],
)
def test_a_policy_with_rules_is_left_to_the_gate(policy: Policy) -> None:
    assert not is_local(policy, "http://127.0.0.1:8300/")


def test_the_client_imports_no_aiohttp_before_it_needs_the_gate() -> None:
    code = "import sys, penstock.client; print('aiohttp' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
