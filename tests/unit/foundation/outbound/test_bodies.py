from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from penstock.foundation.outbound import Inflated, TooLarge, Unreachable
from tests.support.patience import PATIENCE
from tests.unit.foundation.outbound.servers import Server, fetch, ok, writing

Serve = Callable[..., Server]
TEXT = b"".join(b'{"id": %d}\n' % number for number in range(20_000))


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)),
        ("GZIP", gzip.compress(TEXT, mtime=0)),
        ("x-gzip", gzip.compress(TEXT, mtime=0)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("identity", TEXT),
        ("", TEXT),
        ("utf-8", TEXT),  # some servers confuse it with the charset
        ("identity, gzip", gzip.compress(TEXT, mtime=0)),
        ("gzip", gzip.compress(TEXT[:5000], mtime=0) + gzip.compress(TEXT[5000:], mtime=0)),
        ("gzip", gzip.compress(TEXT, mtime=0) + b"\0" * 512),
    ],
)
def test_a_body_is_decoded(encoding: str, body: bytes, serve: Serve):
    server = serve(ok(body, headers={"Content-Encoding": encoding}))

    assert fetch(server.url()).body == TEXT


def test_an_encoded_body_may_come_byte_by_byte(serve: Serve):
    body = gzip.compress(TEXT[:2000], mtime=0) + gzip.compress(b"", mtime=0)

    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in body:
            writer.write(b"1\r\n%c\r\n" % byte)
            await writer.drain()
        writer.write(b"0\r\n\r\n")

    server = serve(writing(write))

    assert fetch(server.url()).body == TEXT[:2000]


@pytest.mark.parametrize("size", [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_body_that_fills_whole_pieces_is_complete(size: int, serve: Serve):
    server = serve(ok(gzip.compress(bytes(size), mtime=0), headers={"Content-Encoding": "gzip"}))

    assert fetch(server.url()).body == bytes(size)
    assert fetch(server.url(), max_bytes=size).body == bytes(size)
    with pytest.raises(TooLarge):
        fetch(server.url(), max_bytes=size - 1)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_an_empty_body_is_empty_in_any_encoding(encoding: str, serve: Serve):
    server = serve(ok(b"", headers={"Content-Encoding": encoding}))

    assert fetch(server.url()).body == b""


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_bomb_stops_at_the_limit(pack: Callable[[bytes], bytes], serve: Serve):
    encoding = "gzip" if pack is gzip.compress else "deflate"
    server = serve(ok(pack(bytes(100 << 20)), headers={"Content-Encoding": encoding}))
    fetch(serve(ok()).url())

    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match="limit of 10,485,760 bytes") as caught:
            fetch(server.url(), max_bytes=10 << 20)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.kind == "too-large"
    assert peak < 16 << 20


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_body_that_unpacks_to_more_than_a_thousand_times_its_size_is_refused(
    pack: Callable[[bytes], bytes], serve: Serve
):
    encoding = "gzip" if pack is gzip.compress else "deflate"
    server = serve(ok(pack(bytes(30 << 20)), headers={"Content-Encoding": encoding}))

    with pytest.raises(Inflated, match=r"more than 1,000 times its size.*Accept-Encoding") as caught:
        fetch(server.url())
    assert isinstance(caught.value, TooLarge)
    assert caught.value.kind == "too-large"


def test_a_small_body_may_be_as_regular_as_it_likes(serve: Serve):
    server = serve(ok(gzip.compress(bytes(10 << 20), mtime=0), headers={"Content-Encoding": "gzip"}))

    assert len(fetch(server.url()).body) == 10 << 20


def test_a_large_body_of_regular_data_is_read(serve: Serve):
    body = b'{"id": 1, "name": "Ada", "tags": []},' * 400_000
    server = serve(ok(gzip.compress(body, mtime=0), headers={"Content-Encoding": "gzip"}))

    assert fetch(server.url()).body == body


def test_a_bomb_of_many_members_is_not_a_valid_response(serve: Serve):
    server = serve(ok(gzip.compress(b"", mtime=0) * 2000, headers={"Content-Encoding": "gzip"}))

    with pytest.raises(Unreachable, match="is not valid gzip data"):
        fetch(server.url())


def test_a_body_in_two_layers_is_refused_by_its_header_and_never_unpacked_twice(serve: Serve):
    twice = gzip.compress(gzip.compress(TEXT), mtime=0)
    announced = serve(ok(twice, headers={"Content-Encoding": "gzip, gzip"}))
    repeated = serve(ok(twice, headers={"Content-Encoding": "gzip\r\nContent-Encoding: gzip"}))
    hidden = serve(ok(twice, headers={"Content-Encoding": "gzip"}))

    for server in (announced, repeated):
        with pytest.raises(Unreachable, match="encoded its response 2 times") as caught:
            fetch(server.url())
        assert caught.value.kind == "protocol"
    assert gzip.decompress(fetch(hidden.url()).body) == TEXT


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress"])
def test_an_encoding_that_was_not_asked_for_is_named(encoding: str, serve: Serve):
    server = serve(ok(b"\x0b\x02\x80", headers={"Content-Encoding": encoding}))

    with pytest.raises(Unreachable, match=f"in the encoding {encoding}, which was not requested"):
        fetch(server.url())


@pytest.mark.parametrize(
    "body",
    [b"plain text", b"{}", gzip.compress(TEXT, mtime=0)[:-8] + b"12345678", gzip.compress(TEXT, mtime=0) + b"rest"],
)
def test_a_body_that_does_not_match_its_encoding_is_an_error(body: bytes, serve: Serve):
    server = serve(ok(body, headers={"Content-Encoding": "gzip"}))

    with pytest.raises(Unreachable, match="is not valid gzip data") as caught:
        fetch(server.url())
    assert caught.value.kind == "protocol"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)[:-100]),
        ("gzip", gzip.compress(TEXT, mtime=0)[:-1]),
        ("gzip", gzip.compress(TEXT, mtime=0)[:5]),
        ("gzip", gzip.compress(TEXT, mtime=0) + gzip.compress(TEXT, mtime=0)[:50]),
        ("deflate", zlib.compress(TEXT)[:-1]),
        ("deflate", raw_deflate(TEXT)[:-1]),
    ],
)
def test_encoded_data_that_ends_early_is_not_taken_for_whole(encoding: str, body: bytes, serve: Serve):
    server = serve(ok(body, headers={"Content-Encoding": encoding}))

    with pytest.raises(Unreachable, match="cut short") as caught:
        fetch(server.url())
    assert caught.value.kind == "cut"
    assert caught.value.status == 200
    assert (TEXT * 2).startswith(caught.value.body)


def test_an_announced_length_above_the_limit_is_not_even_read(serve: Serve):
    server = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n")

    with pytest.raises(TooLarge, match="limit of 1,073,741,824 bytes"):
        fetch(server.url(), timeout=PATIENCE)


def test_a_body_without_end_stops_at_the_limit(serve: Serve):
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(bytes(100_000))
            await writer.drain()

    server = serve(writing(write))

    with pytest.raises(TooLarge):
        fetch(server.url(), max_bytes=5 << 20)


def test_a_page_of_50_megabytes_is_read_fast(serve: Serve):
    body = b"0123456789" * 5_000_000
    server = serve(ok(body))

    start = time.perf_counter()
    response = fetch(server.url())

    assert time.perf_counter() - start < 60  # some 0.1 s; quadratic joining would take minutes
    assert response.body == body
