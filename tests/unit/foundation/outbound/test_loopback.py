"""Plain HTTP to this machine: the same responses and errors as through the gate."""

from __future__ import annotations

import io
import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.outbound import OutboundError, Policy, TimedOut
from penstock.foundation.outbound.loopback import LocalRequest, LocalResponse, Loopback, find_local
from penstock.foundation.outbound.urls import read_target
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


def send(loopback: Loopback, method: str, url: str, body: bytes | None = None, **options: Any) -> LocalResponse:
    local = find_local(OPEN, url, {})
    assert local
    return loopback.send(LocalRequest(method, local, {}, body), **options)


def get(loopback: Loopback, url: str, **options: Any) -> LocalResponse:
    return send(loopback, "GET", url, **options)


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

    with pytest.raises(TimedOut, match=r"sent nothing for 0\.1 seconds"):
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
        send(loopback, "POST", server.url("/lost"), b"x")
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
        ("http://[::1]:8300/", True),
        ("http://localhost:8300", True),
        ("http://connection.penstock.localhost:8300/", True),
        ("http://localhost", True),
        ("https://127.0.0.1:8300/a", False),
        ("http://127.9.9.9/a", False),
        ("HTTP://127.0.0.1/", False),
        ("http://LOCALHOST/", False),
        ("http://127.0.0.1:0/", False),
        ("http://127.0.0.1:99999/", False),
        ("http://user:password@127.0.0.1/", False),
        ("http://127.0.0.1@example.com/", False),
        ("http://127.0.0.1:80@example.com/", False),
        ("http://127.0.0.1/a b", False),
        ("http://127.0.0.1/\u00e9", False),
        ("http://127.0.0.1/a\r\nHost: b", False),
        ("http://127.0.0.1\\@example.com/", False),
        ("http://127.0.0.1/a#b", False),
        ("http://127.0.0.1?a", False),
        ("http://[::1/", False),
        ("http://-.localhost.example.com/", False),
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
    assert bool(find_local(OPEN, url, {})) is expected


@pytest.mark.parametrize(
    "headers", [{"X-Token": "a\u2026"}, {"X-Token": "a\r\nb: c"}, {"a b": "c"}, {"": "c"}, {"a": "\x00"}]
)
def test_headers_that_cannot_be_sent_as_they_are_are_left_to_the_gate(headers: dict[str, str]) -> None:
    assert not find_local(OPEN, "http://127.0.0.1/", headers)


@given(st.text(), st.text(), st.integers())
def test_what_is_local_has_the_host_that_the_gate_finds(host: str, path: str, port: int) -> None:
    url = f"http://{host}localhost:{port}/{path}"
    local = find_local(OPEN, url, {})

    if local:
        target = read_target(url)
        assert (local.host, local.port) == (target.host, target.origin.port)
        assert local.path == target.url.raw_path_qs


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(allow=("127.0.0.1",)),
        Policy(is_open=True, own_ports=(8300,)),
        Policy(is_open=True, own_names=("storage.test",)),
        Policy(is_open=True, own_endpoints=(("storage.test", 443),)),
        Policy(is_open=True, own_hosts={"storage.test": "127.0.0.1:8300"}),
        Policy(is_open=True, mark="stack"),
    ],
)
def test_a_policy_with_rules_is_left_to_the_gate(policy: Policy) -> None:
    assert not find_local(policy, "http://127.0.0.1:8300/", {})


def test_a_response_to_a_body_that_the_server_does_not_read_is_not_lost(serve: Serve, loopback: Loopback) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as server:
        server.submit(refuse, listener)
        response = send(loopback, "PUT", f"http://127.0.0.1:{listener.getsockname()[1]}/", b"x" * 30_000_000)

    assert (response.status, response.body) == (401, b"no")


def refuse(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(1000)
        connection.sendall(ok(b"no", "401 Unauthorized", {"Connection": "close"}))
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 20):  # for a moment, as servers do
            pass


def test_more_than_a_thousand_open_files_do_no_harm(serve: Serve, loopback: Loopback) -> None:
    server = serve(ok())
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, before[1]), before[1]))
    with ExitStack() as opened:
        opened.callback(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        for _ in range(1100):
            opened.enter_context(socket.socket())
        assert [get(loopback, server.url()).body for _ in range(3)] == [b"ok"] * 3
    assert server.connections == 1


def test_closed_connections_are_not_used_again(serve: Serve, loopback: Loopback) -> None:
    url = serve(ok()).url()
    get(loopback, url)
    loopback.close()

    with pytest.raises(RuntimeError, match="closed"):
        get(loopback, url)


def test_a_client_of_a_local_stack_does_not_import_aiohttp(serve: Serve) -> None:
    server = serve(ok(b"[]"))
    code = f"""
import sys
from penstock.client import connect
with connect("{server.url()}", "token") as client:
    client.tables.list()
print("aiohttp" in sys.modules)
"""

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    assert server.requests[0].headers["x-storageapi-token"] == "token"
