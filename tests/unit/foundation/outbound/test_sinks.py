from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from collections.abc import Callable

import pytest

from penstock.foundation.outbound import Inflated, TooLarge, Unreachable
from tests.unit.foundation.outbound.servers import Server, fetch, ok, redirect, writing

Serve = Callable[..., Server]
TEXT = b"".join(b'{"id": %d}\n' % number for number in range(20_000))
GZIP = {"Content-Encoding": "gzip"}


class Collected:
    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, piece: bytes) -> None:
        self.pieces.append(piece)

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)


class Counted:
    def __init__(self) -> None:
        self.size = 0

    def write(self, piece: bytes) -> None:
        self.size += len(piece)


class Broken:
    def write(self, piece: bytes) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("reply", [ok(TEXT), ok(gzip.compress(TEXT, mtime=0), headers=GZIP)])
def test_a_body_goes_into_the_sink_decoded_and_not_into_the_answer(reply: bytes, serve: Serve):
    sink = Collected()

    response = fetch(serve(reply).url(), into=sink)

    assert (response.status, response.body) == (200, b"")
    assert sink.body == TEXT


def test_the_body_of_an_error_goes_into_the_sink_too(serve: Serve):
    sink = Collected()

    response = fetch(serve(ok(b"no", "404 Not Found")).url(), into=sink)

    assert (response.status, response.body, sink.body) == (404, b"", b"no")


def test_of_redirects_only_the_last_answer_goes_into_the_sink(serve: Serve):
    sink = Collected()
    last = serve(ok(b"here"))

    fetch(serve(redirect(last.url())).url(), into=sink)

    assert sink.body == b"here"


def test_a_large_body_is_never_held_in_memory(serve: Serve):
    server = serve(ok(gzip.compress(TEXT * 100, mtime=0), headers=GZIP))
    fetch(serve(ok()).url())
    sink = Counted()

    tracemalloc.start()
    try:
        fetch(server.url(), into=sink)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sink.size == len(TEXT) * 100
    assert peak < 16 << 20 < sink.size


def test_the_limits_hold(serve: Serve):
    server = serve(ok(gzip.compress(bytes(30 << 20)), headers=GZIP))

    with pytest.raises(TooLarge, match="limit of 5,000,000 bytes"):
        fetch(server.url(), into=Counted(), max_bytes=5_000_000)
    with pytest.raises(Inflated):
        fetch(server.url(), into=Counted())
    with pytest.raises(TooLarge):
        fetch(serve(ok(TEXT)).url(), into=Counted(), max_bytes=100)


def test_a_body_without_end_stops_at_the_limit(serve: Serve):
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(bytes(100_000))
            await writer.drain()

    sink = Counted()
    with pytest.raises(TooLarge):
        fetch(serve(writing(write)).url(), into=sink, max_bytes=5 << 20)
    assert sink.size <= 5 << 20


@pytest.mark.parametrize(("size", "kept"), [(500, 500), (1 << 16, 1 << 16), (200_000, 0)])
def test_a_body_that_breaks_off_is_an_error_that_holds_it_if_it_is_small(size: int, kept: int, serve: Serve):
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 503 Busy\r\nContent-Length: 300000\r\n\r\n" + b"x" * size)
        await writer.drain()

    sink = Collected()
    with pytest.raises(Unreachable) as caught:
        fetch(serve(writing(write)).url(), into=sink)

    assert (caught.value.kind, caught.value.status, caught.value.body) == ("cut", 503, b"x" * kept)
    assert sink.body == b"x" * size


def test_compressed_data_that_ends_early_is_not_taken_for_whole(serve: Serve):
    server = serve(ok(gzip.compress(TEXT, mtime=0)[:-4], headers=GZIP))

    with pytest.raises(Unreachable, match="cut short") as caught:
        fetch(server.url(), into=Collected())
    assert caught.value.kind == "cut"


def test_a_sink_that_fails_is_not_taken_for_a_lost_connection(serve: Serve):
    with pytest.raises(OSError, match="No space left on device"):
        fetch(serve(ok(TEXT)).url(), into=Broken())
