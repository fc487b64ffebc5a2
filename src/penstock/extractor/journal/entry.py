"""One answer as it is kept: a head with lengths and a checksum, what is known about it, and its body."""

from __future__ import annotations

import os
import struct
import zlib
from typing import BinaryIO

import msgspec

from penstock.foundation.outbound import Response

_HEAD = struct.Struct("<IIQ")
HEAD_BYTES = _HEAD.size
LITTLE = 1 << 20
MARK = "#"


def key_of(run: str, number: int) -> str:
    """The key of a page, the n-th of a run of a job."""
    return f"{run}{MARK}{number}"


def end_of(run: str) -> str:
    """The key under which the end of a run of a job is kept."""
    return f"{run}{MARK}end"


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What is known about a response."""

    key: str
    """Which page of which run of which job it is."""
    request: bytes
    """A digest of what was asked, since what was asked may be secret."""
    status: int
    reason: str
    headers: list[tuple[bytes, bytes]]
    moment: float
    """When its job began, by the clock that functions see."""
    asked: float
    received: float
    requests: int = 1
    retries: int = 0
    extra: bytes = b""
    file: str = ""
    """Where the body is, if it is too large to be here."""
    size: int = 0
    """Of that file."""
    last: int = -1
    """Of an entry that is not a response but the end of a job's run: the number of its last page; `reason` says why."""
    dropped: int = 0
    """How many bytes were left out when its body was converted to UTF-8."""

    @property
    def number(self) -> int:
        """Which page of its run it is, from 0."""
        return int(self.key.rpartition(MARK)[2])

    @property
    def is_verified(self) -> bool:
        """Whether the response said how long it is, or where it ends."""
        names = {name.lower() for name, _value in self.headers}
        return bool(names & {b"content-length", b"transfer-encoding", b"content-encoding"})


class JournalEntry(msgspec.Struct, frozen=True):
    """A response in the journal, and where it begins and ends there."""

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
    """How many bytes it took."""
    facts = msgspec.msgpack.encode(entry)
    file.write(_HEAD.pack(zlib.crc32(body, zlib.crc32(facts)), len(facts), len(body)))
    file.write(facts)
    file.write(body)
    return HEAD_BYTES + len(facts) + len(body)


def read_entry(file: BinaryIO, at: int, *, is_whole: bool = True) -> JournalEntry | None:
    """None where no whole entry is: the end of the file, or what a crash has left there.

    Without its body it is read faster, but its checksum cannot be checked.
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
    """What a crash has left may claim any length, and nobody must make room for it; a little is simply read."""
    if size <= LITTLE:
        return True
    here = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(here)
    return size <= end - here
