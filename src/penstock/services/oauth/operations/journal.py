"""Responses to refreshes that are not committed yet: files in the data folder, encrypted.

A provider that rotates refresh tokens has revoked the old one when its response arrives. A commit may take seconds, if
other transactions write; writing a file takes a millisecond. So the file is written first, and the next job or the
maintenance commits what a crashed process has left.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import msgspec

from penstock.foundation.files import durable
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack

FOLDER = "oauth"
_PURPOSE = "oauth journal"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    project_id: int
    number: int
    revision: int
    """That the refresh began with."""
    data: str
    """The cipher to store."""
    expires: str | None
    """ISO 8601."""


class Journal:
    def __init__(self, stack: Stack) -> None:
        self._folder, self._cipher = stack.folder / FOLDER, stack.cipher

    def write(self, entry: Entry) -> None:
        """Durable when this returns."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        name = f"{entry.number}-{entry.revision}-{secrets.token_hex(8)}"
        durable.write_file(self._folder / name, self._cipher.seal(msgspec.json.encode(entry), _PURPOSE))

    def find(self, number: int, revision: int) -> Entry | None:
        """The response to a refresh of this revision, if there is one."""
        found = (_read(path, self._cipher) for path in sorted(self._folder.glob(f"{number}-{revision}-*")))
        return next((entry for entry in found if entry), None)

    def remove(self, entry: Entry) -> None:
        """All responses to refreshes of its revision: one is committed, or the credential has changed."""
        for path in self._folder.glob(f"{entry.number}-{entry.revision}-*"):
            path.unlink(missing_ok=True)

    def entries(self) -> Iterator[Entry]:
        for path in sorted(self._folder.glob("[0-9]*-[0-9]*-*")):
            if entry := _read(path, self._cipher):
                yield entry


def _read(path: Path, cipher: Cipher) -> Entry | None:
    """Return None if another process has removed it, or it is not one of this stack."""
    try:
        content = cipher.unseal(path.read_bytes(), _PURPOSE)
        return msgspec.json.decode(content, type=Entry) if content else None
    except (FileNotFoundError, msgspec.DecodeError):
        return None
