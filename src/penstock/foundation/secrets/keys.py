"""The root keys of a stack: one file, one key per line, the newest first.

The newest key encrypts. Older ones stay in the file after a rotation, so that ciphers made before it can be decrypted,
such as those in files of clients. A running process notices that the file was replaced and reads it again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import stat
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from penstock.foundation.errors import Invalid
from penstock.foundation.files import durable

KEY_BYTES, ID_BYTES = 32, 8

Stamp = tuple[int, ...]
"""Changes when the file is replaced or written."""


class RootKey:
    def __init__(self, secret: bytes) -> None:
        self.secret, self.aes = secret, AESGCM(secret)
        # A separate key, so that signatures reveal nothing about the encryption key.
        self.signing = hmac.digest(secret, b"penstock signatures", hashlib.sha256)
        self.fingerprint = int.from_bytes(hmac.digest(secret, b"penstock fingerprint", hashlib.sha256)[:8]) >> 1
        """Identifies the key without revealing it; fits a signed 64-bit integer."""

    @property
    def id(self) -> bytes:
        """Return the id by which ciphers name it."""
        return self.fingerprint.to_bytes(ID_BYTES)

    @property
    def name(self) -> str:
        """Return the id as people read it."""
        return self.id.hex()


class KeyRing:
    """The keys of a stack, newest first; with a file, always those that are in it now."""

    def __init__(self, secrets: Sequence[bytes], file: Path | None = None, stamp: Stamp = ()) -> None:
        self._keys = tuple(map(RootKey, secrets))
        self._file = file
        self._stamp: Stamp = stamp

    @classmethod
    def read(cls, file: Path) -> KeyRing:
        stamp = _stamp(file)
        return cls(_read_keys(file), file, stamp)

    @classmethod
    def open(cls, file: Path) -> KeyRing:
        """The same; a new stack gets its first key."""
        read_or_make_key(file)
        return cls.read(file)

    @property
    def keys(self) -> tuple[RootKey, ...]:
        if self._file:
            self._refresh(self._file)
        return self._keys

    @property
    def current(self) -> RootKey:
        return self.keys[0]

    @property
    def first(self) -> RootKey:
        """The oldest one, which made the ciphers that do not name their key."""
        return self.keys[-1]

    def find(self, key_id: bytes) -> RootKey | None:
        return next((key for key in self.keys if key.id == key_id), None)

    def has(self, fingerprint: int) -> bool:
        return any(key.fingerprint == fingerprint for key in self.keys)

    def add(self) -> RootKey:
        """Make a new key, which encrypts from now on."""
        assert self._file, "only a ring in a file can grow"
        secrets = [AESGCM.generate_key(KEY_BYTES * 8), *(key.secret for key in self.keys)]
        durable.write_file(self._file, b"".join(base64.b64encode(secret) + b"\n" for secret in secrets))
        return self.current

    def _refresh(self, file: Path) -> None:
        """A file that cannot be read now leaves the keys as they are."""
        try:
            stamp = _stamp(file)
            if stamp != self._stamp:
                self._keys, self._stamp = tuple(map(RootKey, _read_keys(file))), stamp
        except (OSError, Invalid):
            return


def read_or_make_key(path: Path) -> bytes:
    """The stack's newest key of 32 bytes; created on the first start, readable by its owner only."""
    if not path.exists():
        durable.write_file(path, base64.b64encode(AESGCM.generate_key(KEY_BYTES * 8)) + b"\n")
    return read_key(path)


def read_key(path: Path) -> bytes:
    """The newest key of an existing file."""
    return _read_keys(path)[0]


def _read_keys(path: Path) -> list[bytes]:
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Invalid(f"The key file {path} can be read by others. Protect it: chmod 600 {path}")
    lines = [line.strip() for line in path.read_bytes().splitlines()]
    keys = [_decode(line) for line in lines if line]
    if not keys or any(len(key) != KEY_BYTES for key in keys):
        raise Invalid(f"The key file {path} does not contain a valid key. Put back the key of this stack.")
    return keys


def _decode(line: bytes) -> bytes:
    try:
        return base64.b64decode(line, validate=False)
    except ValueError:
        return b""


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size
