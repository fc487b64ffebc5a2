"""Operator commands for the root keys of a stack: list them, and rotate to a new one while the stack runs."""

from __future__ import annotations

import msgspec

from penstock.foundation import locks
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid
from penstock.foundation.fingerprints import REWRAPPED, WrongKey, find_fingerprint, keep_fingerprint
from penstock.foundation.secrets import KeyRing
from penstock.foundation.stored_ciphers import rewrap_database
from penstock.server.data_folder import open_database
from penstock.settings import Settings

LOCK = "keys.lock"


class ListedKey(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    is_current: bool
    """Whether it encrypts."""


class Listed(msgspec.Struct, frozen=True, rename="camel"):
    keys: list[ListedKey]
    """Newest first."""
    is_rotated: bool
    """Whether all stored ciphers are wrapped with the newest key; otherwise a rotation was stopped."""


class Rotated(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    rows: int
    """Rows of the database with ciphers that were wrapped anew."""
    is_continued: bool
    """Whether there was a rotation to finish, and so no new key was made."""


class RotationRuns(Invalid):
    def __init__(self, settings: Settings) -> None:
        super().__init__(f"Another rotation of the keys of {settings.folder} is under way. Wait for it to end.")


def list_keys(settings: Settings) -> Listed:
    with open_database(settings) as database:
        ring = _open_ring(settings, database)
        keys = [ListedKey(key.name, key is ring.current) for key in ring.keys]
        return Listed(keys, _is_rotated(database, ring))


def rotate_keys(settings: Settings) -> Rotated:
    """Make a new key, and wrap all stored ciphers with it; or finish the rotation that was stopped."""
    with open_database(settings) as database:
        lock = locks.try_to_hold(settings.folder / LOCK)
        if not lock:
            raise RotationRuns(settings)
        with lock:
            return _rotate(database, _open_ring(settings, database))


def _rotate(database: Database, ring: KeyRing) -> Rotated:
    is_continued = not _is_rotated(database, ring)
    key = ring.current if is_continued else ring.add()
    # After the file: what the database names must be in the ring.
    with database.writing() as tx:
        keep_fingerprint(tx, key.fingerprint)
    rows = rewrap_database(database, ring)
    with database.writing() as tx:
        keep_fingerprint(tx, key.fingerprint, REWRAPPED)
    return Rotated(key.name, rows, is_continued)


def _open_ring(settings: Settings, database: Database) -> KeyRing:
    if not settings.key.is_file():
        raise Invalid(f"There is no key at {settings.key}. Name the file that has it: --key-file FILE")
    ring = KeyRing.read(settings.key)
    with database.reading() as tx:
        known = find_fingerprint(tx)
    if known is not None and not ring.has(known):
        raise WrongKey(settings.key, database.place)
    return ring


def _is_rotated(database: Database, ring: KeyRing) -> bool:
    with database.reading() as tx:
        return len(ring.keys) == 1 or find_fingerprint(tx, REWRAPPED) == ring.current.fingerprint
