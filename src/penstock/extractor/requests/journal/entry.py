"""One response as it is stored: a header with lengths and a checksum, the metadata with the extra columns of its
records, and the body."""

from __future__ import annotations

import os
import struct
import zlib
from typing import Any, BinaryIO, cast

import msgspec

from penstock.extractor.base.numbers import Float
from penstock.foundation.outbound import Response

_HEAD = struct.Struct("<IIQ")
HEAD_BYTES = _HEAD.size
LITTLE = 1 << 20
MARK = "#"


DECIMAL, LARGE = 1, 2
"""Decimals, which are texts to Python, and integers beyond 64 bits."""
_MAX_INTEGER = 1 << 63


def page_key(run: str, number: int) -> str:
    """Returns the key of the n-th page of a run of a job."""
    return f"{run}{MARK}{number}"


def end_key(run: str) -> str:
    """Returns the key of the entry that marks the end of a run of a job."""
    return f"{run}{MARK}end"


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """The metadata of a response."""

    key: str
    """Identifies the page, the run and the job."""
    request: bytes
    """A digest of the request, which may contain secrets."""
    status: int
    reason: str
    headers: list[tuple[bytes, bytes]]
    moment: float
    """When its job began, which is the time for functions."""
    asked: float
    received: float
    requests: int = 1
    retries: int = 0
    extra: bytes = b""
    file: str = ""
    """The file of the body, if it is too large for the journal."""
    size: int = 0
    """The size of that file."""
    last: int = -1
    """In an entry that marks the end of a run of a job: the number of its last page; `reason` is why it ended."""
    dropped: int = 0
    """How many invalid bytes were dropped when the body was converted to UTF-8."""

    @property
    def number(self) -> int:
        """Returns the number of the page in its run, from 0."""
        return int(self.key.rpartition(MARK)[2])

    @property
    def is_verified(self) -> bool:
        """Returns whether the response declared its length or its end."""
        names = {name.lower() for name, _value in self.headers}
        return bool(names & {b"content-length", b"transfer-encoding", b"content-encoding"})


class JournalEntry(msgspec.Struct, frozen=True):
    """A response in the journal, with the offsets of its beginning and end."""

    at: int
    end: int
    entry: Entry
    body: bytes

    @property
    def response(self) -> Response:
        entry = self.entry
        headers = [(_text(name), _text(value)) for name, value in entry.headers]
        return Response.kept(entry.status, entry.reason, headers, self.body, "")


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def write_entry(file: BinaryIO, entry: Entry, body: bytes) -> int:
    """Returns how many bytes were written."""
    facts = msgspec.msgpack.encode(entry)
    file.write(_HEAD.pack(zlib.crc32(body, zlib.crc32(facts)), len(facts), len(body)))
    file.write(facts)
    file.write(body)
    return HEAD_BYTES + len(facts) + len(body)


def read_entry(file: BinaryIO, at: int, *, is_whole: bool = True) -> JournalEntry | None:
    """Returns None if there is no complete entry: at the end of the file, or after a crash.

    Without its body (`is_whole`) it is read faster, but its checksum is not verified.
    """
    file.seek(at)
    head = file.read(HEAD_BYTES)
    if len(head) < HEAD_BYTES:
        return None
    check, length, size = _HEAD.unpack(head)
    if not _is_there(file, length + size):
        return None
    facts = file.read(length)
    body = file.read(size) if is_whole else b""
    if len(facts) < length or (is_whole and (len(body) < size or zlib.crc32(body, zlib.crc32(facts)) != check)):
        return None
    try:
        return JournalEntry(at, at + HEAD_BYTES + length + size, msgspec.msgpack.decode(facts, type=Entry), body)
    except msgspec.MsgspecError:
        return None


def _is_there(file: BinaryIO, size: int) -> bool:
    """Returns whether the file has this many more bytes: after a crash, a header may declare any length, for which no
    memory must be allocated. A small size is not checked."""
    if size <= LITTLE:
        return True
    here = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(here)
    return size <= end - here


def pack(extra: dict[str, Any]) -> bytes:
    return msgspec.msgpack.encode(_packed(extra)) if extra else b""


def unpack(data: bytes) -> dict[str, Any]:
    return msgspec.msgpack.decode(data, type=dict[str, Any], ext_hook=_unpacked) if data else {}


def _packed(value: Any) -> Any:
    if isinstance(value, Float):
        return msgspec.msgpack.Ext(DECIMAL, value.encode())
    if isinstance(value, int) and not -_MAX_INTEGER <= value < _MAX_INTEGER:
        return msgspec.msgpack.Ext(LARGE, str(value).encode())
    if isinstance(value, dict):
        return {key: _packed(member) for key, member in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_packed(item) for item in cast(list[Any], value)]
    return value


def _unpacked(code: int, data: memoryview) -> Any:
    text = bytes(data).decode()
    return Float(text) if code == DECIMAL else int(text)
