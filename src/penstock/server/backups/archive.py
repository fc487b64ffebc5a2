"""The archive: an ordinary tar file whose first member describes it and whose last one lists its contents.

The last one lists every file with its size and SHA-256. A truncated archive has no such list, and an altered one does
not match it, so neither is accepted.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO, Literal

import msgspec

from penstock.foundation import clock
from penstock.foundation.errors import Invalid

HEADER, CONTENTS = "penstock-backup.json", "penstock-contents.json"
VERSION = 1
CHUNK = 1 << 20


class BackupFailed(Invalid):
    """Nothing was left behind."""


class Header(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    format: int
    penstock: str
    created: str
    has_key: bool
    key_fingerprint: int | None = None
    """Of the key for its secrets; None in older backups."""
    version: int = VERSION
    kind: Literal["penstock-backup"] = "penstock-backup"


class Entry(msgspec.Struct, frozen=True):
    name: str
    size: int
    sha256: str


class Counted:
    """A stream that counts and hashes what passes through it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._hash = stream, hashlib.sha256()
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self.size += len(content)
        self._hash.update(content)
        return content

    def entry(self, name: str) -> Entry:
        return Entry(name, self.size, self._hash.hexdigest())


class ArchiveWriter:
    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar, self._now = tar, int(clock.now().timestamp())
        self.entries: list[Entry] = []

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)

    def add_header(self, header: Header) -> None:
        self._add(HEADER, msgspec.json.encode(header))

    def add_file(self, name: str, source: Path) -> None:
        with source.open("rb") as file:
            counted = Counted(file)
            size = source.stat().st_size
            self._tar.addfile(self._member(name, size), counted)  # pyright: ignore[reportArgumentType] - only read() is used
        self.entries.append(counted.entry(name))

    def add_contents(self) -> None:
        self._add(CONTENTS, msgspec.json.encode(self.entries))

    def _add(self, name: str, content: bytes) -> None:
        self._tar.addfile(self._member(name, len(content)), io.BytesIO(content))

    def _member(self, name: str, size: int) -> tarfile.TarInfo:
        """Describe a file without the owners and permissions of the original machine."""
        member = tarfile.TarInfo(name)
        member.size, member.mtime, member.mode = size, self._now, 0o600
        return member


def check_member(member: tarfile.TarInfo, folder: Path) -> None:
    """Raise BackupFailed unless the member is a regular file below the folder."""
    path = PurePosixPath(member.name)
    is_plain = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE)
    is_below = not path.is_absolute() and ".." not in path.parts and path.as_posix() == member.name != "."
    if not is_plain or not is_below or not member.name.isprintable() or "\\" in member.name:
        raise BackupFailed(f"The archive holds {member.name!r}, which is not part of any backup. Nothing was restored.")
    if hasattr(tarfile, "data_filter"):  # absent before Python 3.11.4
        tarfile.data_filter(member, str(folder))
