"""Heads and bodies that two programs may read differently: a proxy before the stack, and the stack.

Both ports refuse them, or read them as the standard says (RFC 9112): nothing that belongs to a request is read as the
next one.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Generator
from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.patience import PATIENCE
from tests.unit.server.tls_serving import Serving

GET, POST, OLD_POST = b"GET /e/ HTTP/1.1\r\n", b"POST /e/ HTTP/1.1\r\n", b"POST /e/ HTTP/1.0\r\n"
HOST, CLOSE = b"Host: 127.0.0.1\r\n", b"Connection: close\r\n"
CHUNKS, CHUNKED = b"3\r\nabc\r\n0\r\n\r\n", b"Transfer-Encoding: chunked\r\n"
NEXT = b"GET /e/smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    each = Serving(tmp_path_factory.mktemp("framing"))
    yield each
    each.stop()


def ask(serving: Serving, request: bytes, *, is_secure: bool) -> bytes:
    """All that comes back until the connection ends."""
    port = serving.secure_port if is_secure else serving.plain_port
    context = serving.context
    context.set_alpn_protocols(["http/1.1"])
    connection, received = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE), b""
    connection = context.wrap_socket(connection, server_hostname="127.0.0.1") if is_secure else connection
    with connection, suppress(ConnectionError):
        connection.sendall(request)
        while part := connection.recv(65536):
            received += part
    return received


def outcome(received: bytes) -> list[int]:
    """The sizes of the bodies that the application has read; nothing where it was refused."""
    statuses = re.findall(rb"HTTP/1\.[01] (\d{3})", received)
    assert all(status in (b"201", b"400") for status in statuses), received
    return [int(size) for size in re.findall(rb'"size":(\d+)', received)]


def outcomes(serving: Serving, request: bytes) -> tuple[list[int], list[int]]:
    """Of the plain port, and of the TLS port."""
    return outcome(ask(serving, request, is_secure=False)), outcome(ask(serving, request, is_secure=True))


@pytest.mark.parametrize(
    ("request_", "size"),
    [
        (GET + HOST + CLOSE + b"\r\n", 0),
        (POST + HOST + CLOSE + b"Content-Length: 3\r\n\r\nabc", 3),
        (POST + HOST + CLOSE + CHUNKED + b"\r\n" + CHUNKS, 3),
        (POST + HOST + CLOSE + b"Transfer-Encoding:  Chunked \r\n\r\n" + CHUNKS, 3),
        (POST + HOST + CLOSE + CHUNKED + b"\r\n3;a=b\r\nabc\r\n0\r\nX-Trailer: a\r\n\r\n", 3),
        (b"\r\n" + GET + HOST + CLOSE + b"\r\n", 0),
    ],
)
def test_both_ports_take_what_is_clear(serving: Serving, request_: bytes, size: int) -> None:
    assert outcomes(serving, request_) == ([size], [size])


REFUSED = {
    "two hosts": GET + HOST + b"Host: evil.example\r\n" + CLOSE + b"\r\n",
    "two equal hosts": GET + HOST + HOST + CLOSE + b"\r\n",
    "no version": b"GET /e/\r\n\r\n",
    "unknown version": b"GET /e/ HTTP/1.2\r\n" + HOST + CLOSE + b"\r\n",
    "two lengths": POST + HOST + CLOSE + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
    "list of lengths": POST + HOST + CLOSE + b"Content-Length: 3, 3\r\n\r\nabc",
    **{
        f"length {text!r}": POST + HOST + CLOSE + b"Content-Length: " + text + b"\r\n\r\nabc"
        for text in (b"", b"+3", b"-3", b"0x3", b"3 3", b"9" * 30)
    },
    "chunked twice": POST + HOST + CLOSE + CHUNKED + CHUNKED + b"\r\n" + CHUNKS,
    "chunked of HTTP/1.0": OLD_POST + HOST + CLOSE + CHUNKED + b"\r\n" + CHUNKS,
    **{
        f"encoding {text!r}": POST + HOST + CLOSE + b"Transfer-Encoding: " + text + b"\r\n\r\n" + CHUNKS
        for text in (
            b"chunked, chunked",
            b"gzip, chunked",
            b"chunked, identity",
            b"identity",
            b"xchunked",
            b"\x0bchunked",
        )
    },
    "folded line": GET + HOST + b"X-A: a\r\n b\r\n" + CLOSE + b"\r\n",
    "folded encoding": POST + HOST + CLOSE + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + CHUNKS,
    "space before colon": POST + HOST + CLOSE + b"Content-Length : 3\r\n\r\nabc",
    "space before name": GET + b" X-A: a\r\n" + HOST + CLOSE + b"\r\n",
    "no colon": GET + HOST + b"X-A\r\n" + CLOSE + b"\r\n",
    "bare CR": GET + HOST + b"X-A: a\rX-B: b\r\n" + CLOSE + b"\r\n",
    "two CR": GET + HOST + b"X-A: a\r\r\n" + CLOSE + b"\r\n",
    **{
        f"value {text!r}": GET + HOST + b"X-A: " + text + b"\r\n" + CLOSE + b"\r\n"
        for text in (b"a\0b", b"a\x01b", b"a\x7fb")
    },
    **{
        f"name {text!r}": GET + HOST + text + b": a\r\n" + CLOSE + b"\r\n" for text in (b"X\0A", b"X(A", b"X\xe9A", b"")
    },
    "NUL in the path": b"GET /e/\0 HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
    "tabs": b"GET\t/e/\tHTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
    **{
        f"chunks {text!r}": POST + HOST + CLOSE + CHUNKED + b"\r\n" + text
        for text in (
            *(size + b"\r\nabc\r\n0\r\n\r\n" for size in (b"zz", b"-3", b"+3", b"0x3", b"", b"f" * 20, b"3;\nxx")),
            *(b"3\nabc\r\n0\r\n\r\n", b"3\r\nabc\n0\r\n\r\n", b"3\r\nabcd\r\n0\r\n\r\n", b"3\r\nabc\r\n0\n\n"),
        )
    },
}


@pytest.mark.parametrize("spelling", REFUSED)
def test_both_ports_refuse_what_can_be_read_in_two_ways(serving: Serving, spelling: str) -> None:
    assert outcomes(serving, REFUSED[spelling]) == ([], [])


LENIENT = {
    "length twice": POST + HOST + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "length and chunks": POST + HOST + b"Content-Length: 13\r\n" + CHUNKED + b"\r\n" + CHUNKS,
    "chunks and a length that is too short": POST + HOST + CHUNKED + b"Content-Length: 3\r\n\r\n" + CHUNKS,
    "space after a size": POST + HOST + CHUNKED + b"\r\n3 \r\nabc\r\n0\r\n\r\n",
    "LF": b"POST /e/ HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 3\n\nabc",
    "LF after a header": POST + b"Host: 127.0.0.1\nContent-Length: 3\r\n\r\nabc",
}
"""What the server of the TLS port reads as the standard permits; the plain port refuses all of it."""
ENDS_THE_CONNECTION = {"length and chunks", "chunks and a length that is too short"}
"""What the standard lets a server read only if it reads nothing behind it."""


@pytest.mark.parametrize("spelling", LENIENT)
def test_what_only_the_tls_port_takes_has_one_meaning(serving: Serving, spelling: str) -> None:
    """And the request behind it begins where it ends."""
    plain, secure = outcomes(serving, LENIENT[spelling] + NEXT)

    assert (plain, secure) == ([], [3] if spelling in ENDS_THE_CONNECTION else [3, 0])


SPELLINGS = st.tuples(
    st.lists(st.sampled_from([HOST, b"hOST:127.0.0.1\r\n", b"Host: b\r\n"]), max_size=3),
    st.lists(
        st.sampled_from(
            [
                CHUNKED,
                b"transfer-encoding:CHUNKED\r\n",
                b"Transfer-Encoding: gzip\r\n",
                b"Transfer-Encoding: , chunked\r\n",
            ]
        ),
        max_size=2,
    ),
    st.lists(st.sampled_from([b"X-A: a\r\n", b"X-B:\r\n", b"Accept: */*\r\n"]), max_size=2),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SPELLINGS, st.randoms(use_true_random=False))
def test_the_ports_agree_on_every_combination_of_hosts_and_encodings(
    serving: Serving, parts: tuple[list[bytes], list[bytes], list[bytes]], random: Random
) -> None:
    hosts, encodings, others = parts
    lines = [*hosts, *encodings, *others]
    random.shuffle(lines)
    plain, secure = outcomes(serving, POST + CLOSE + b"".join(lines) + b"\r\n" + (CHUNKS if encodings else b""))

    assert plain == secure
    if len(hosts) > 1 or len(encodings) > 1:
        assert plain == []
