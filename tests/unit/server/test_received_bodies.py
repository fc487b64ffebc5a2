"""Bodies over the plain port: whatever the pieces that they come in, the application receives the same bytes."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from penstock.server.sockets import open_sockets
from tests.support.examples import examples
from tests.support.patience import PATIENCE
from tests.support.server import ServerInThread
from tests.unit.web import raw

KILOBYTE = 1024
HEAD = "PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{}\r\n\r\n"
SIZES = st.one_of(st.integers(1, 20), st.integers(1, 300 * KILOBYTE))


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    sockets = open_sockets("loopback", 0)
    server = ServerInThread(_hash_body, sockets)
    yield sockets[0].getsockname()
    server.stop()


async def _hash_body(scope: Scope, receive: Receive, send: Send) -> None:
    digest = hashlib.sha256()
    async for piece in Request(scope, receive).stream():
        digest.update(piece)
    await PlainTextResponse(digest.hexdigest())(scope, receive, send)


def pieces_of(sizes: Sequence[int]) -> list[bytes]:
    """Each is different, so that none can be lost, doubled or exchanged unnoticed."""
    return [bytes([number % 256]) * size for number, size in enumerate(sizes)]


def chunked(pieces: Sequence[bytes]) -> bytes:
    framed = [f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces]
    return HEAD.format("Transfer-Encoding: chunked").encode() + b"".join(framed) + b"0\r\n\r\n"


def with_length(pieces: Sequence[bytes]) -> bytes:
    body = b"".join(pieces)
    return HEAD.format(f"Content-Length: {len(body)}").encode() + body


def send(address: tuple[str, int], request: bytes) -> str:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(request)
        received = b""
        while part := connection.recv(65536):
            received += part
    return raw.read_response(received).text


@examples(60, deadline=None)
@given(st.lists(SIZES, min_size=1, max_size=30))
def test_a_body_in_pieces_of_any_size_arrives_as_it_was_sent(address: tuple[str, int], sizes: list[int]) -> None:
    pieces = pieces_of(sizes)
    expected = hashlib.sha256(b"".join(pieces)).hexdigest()

    assert send(address, chunked(pieces)) == expected
    assert send(address, with_length(pieces)) == expected


def test_many_small_pieces_behind_a_large_one_arrive(address: tuple[str, int]) -> None:
    pieces = pieces_of([100 * KILOBYTE, *[1] * 30_000, 100 * KILOBYTE, *[2] * 10_000])

    assert send(address, chunked(pieces)) == hashlib.sha256(b"".join(pieces)).hexdigest()
