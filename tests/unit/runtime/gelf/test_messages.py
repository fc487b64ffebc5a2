"""Compressed messages and messages in chunks."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.runtime.gelf import messages
from penstock.runtime.gelf.messages import CHUNKS, RECORD_BYTES, WAITING_MESSAGES, Chunks, RecordTooLarge, open_message


def cut(content: bytes, size: int, name: bytes = b"12345678") -> list[bytes]:
    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    return [b"\x1e\x0f" + name + bytes([number, len(pieces)]) + piece for number, piece in enumerate(pieces)]


@given(st.binary(min_size=1, max_size=5000), st.integers(min_value=50, max_value=6000), st.randoms())
def test_chunks_in_any_order_make_the_message(content: bytes, size: int, chance: random.Random) -> None:
    chunks, datagrams = Chunks(), cut(content, size)
    chance.shuffle(datagrams)

    assert [chunks.add(datagram) for datagram in datagrams] == [None] * (len(datagrams) - 1) + [content]


@given(st.lists(st.binary(max_size=20).map(lambda tail: b"\x1e\x0f" + tail)))
def test_any_chunk_is_survived(datagrams: list[bytes]) -> None:
    chunks = Chunks()
    for datagram in datagrams:
        chunks.add(datagram)


def test_a_datagram_that_is_no_chunk_is_a_message() -> None:
    assert Chunks().add(b'{"a":1}') == b'{"a":1}'


def test_messages_that_never_become_whole_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = Chunks()
    first, second = cut(b"abcd", 2)
    chunks.add(first)
    for number in range(WAITING_MESSAGES + 2):
        chunks.add(cut(b"abcd", 2, name=number.to_bytes(8, "big"))[0])
    assert chunks.add(second) is None

    monkeypatch.setattr(messages, "CHUNK_SECONDS", -1.0)
    late = cut(b"wxyz", 2, name=b"late----")
    chunks.add(late[0])
    assert chunks.add(late[1]) is None


def test_too_many_bytes_in_chunks_are_too_large() -> None:
    chunks = Chunks()
    *first, last = cut(bytes(RECORD_BYTES + 1), 60_000)
    assert [chunks.add(datagram) for datagram in first] == [None, None, None]
    with pytest.raises(RecordTooLarge):
        chunks.add(last)
    assert Chunks().add(b"\x1e\x0f12345678" + bytes([0, CHUNKS + 1]) + b"x") is None


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, bytes])
def test_messages_are_opened(pack: Callable[[bytes], bytes]) -> None:
    assert open_message(pack(b'{"a":1}')) == b'{"a":1}'
    assert open_message(pack(b"{" * RECORD_BYTES)) == b"{" * RECORD_BYTES
    with pytest.raises(RecordTooLarge, match="larger than 200,000 bytes"):
        open_message(pack(b"{" * (RECORD_BYTES + 1)))


def test_a_bomb_is_too_large_and_rubbish_is_ignored() -> None:
    with pytest.raises(RecordTooLarge):
        open_message(gzip.compress(bytes(100_000_000)))
    assert open_message(b"\x1f\x8bnot gzip") is None
    assert open_message(b"") == b""
