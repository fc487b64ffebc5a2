"""From bytes to GELF messages: compressed ones opened, chunks put together, none larger than it may be."""

from __future__ import annotations

import time
import zlib

import msgspec

RECORD_BYTES = 200_000
CHUNKS = 128
WAITING_MESSAGES = 100
CHUNK_SECONDS = 5.0
_CHUNKED, _GZIP, _ZLIB = b"\x1e\x0f", b"\x1f\x8b", b"\x78"
_HEAD_BYTES = 12


class RecordTooLarge(Exception):
    def __init__(self) -> None:
        super().__init__(f"The component sent a log record that is larger than {RECORD_BYTES:,} bytes.")


class _Waiting(msgspec.Struct):
    count: int
    since: float
    chunks: dict[int, bytes]


class Chunks:
    """Messages that arrive in chunks. What is not complete in time is dropped."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, _Waiting] = {}

    def add(self, datagram: bytes) -> bytes | None:
        """Return a complete message, if this completes one."""
        if not datagram.startswith(_CHUNKED):
            return datagram
        if len(datagram) < _HEAD_BYTES:
            return None
        name, number, count = datagram[2:10], datagram[10], datagram[11]
        if not 0 < count <= CHUNKS or number >= count:
            return None
        return self._put(name, number, count, datagram[_HEAD_BYTES:])

    def _put(self, name: bytes, number: int, count: int, chunk: bytes) -> bytes | None:
        self._forget()
        parts = self._waiting.setdefault(name, _Waiting(count, time.monotonic(), {}))
        parts.chunks[number] = chunk
        if sum(map(len, parts.chunks.values())) > RECORD_BYTES:
            del self._waiting[name]
            raise RecordTooLarge
        if len(parts.chunks) < parts.count:
            return None
        del self._waiting[name]
        return b"".join(chunk for _, chunk in sorted(parts.chunks.items()))

    def _forget(self) -> None:
        old = time.monotonic() - CHUNK_SECONDS
        late = [name for name, message in self._waiting.items() if message.since < old]
        too_many = list(self._waiting)[: max(0, len(self._waiting) - WAITING_MESSAGES)]
        for name in {*late, *too_many}:
            del self._waiting[name]


def open_message(content: bytes) -> bytes | None:
    """Return its JSON; None for what cannot be opened."""
    if not content.startswith((_GZIP, _ZLIB)):
        opened = content
    else:
        # 32: gzip or zlib, as its head says. One byte more than it may have tells that it has more.
        machine = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        try:
            opened = machine.decompress(content, RECORD_BYTES + 1)
        except zlib.error:
            return None
    if len(opened) > RECORD_BYTES:
        raise RecordTooLarge
    return opened
