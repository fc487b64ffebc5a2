"""Operator commands for the root keys of a stack: list them, and rotate to a new one while the stack runs."""

from __future__ import annotations

import msgspec

from penstock.foundation import audit
from penstock.foundation.database import Database, Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.files import locks
from penstock.foundation.secrets import KeyRing
from penstock.foundation.secrets.envelope import UNMARKED
from penstock.foundation.secrets.keys import RootKey
from penstock.foundation.stack.fingerprints import REWRAPPED, UNFINISHED, WrongKey, find_fingerprint, keep_fingerprint
from penstock.foundation.stored_ciphers import count_rows, rewrap_database
from penstock.server.data_folder import open_database
from penstock.settings import Settings

LOCK = "keys.lock"


class ListedKey(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    is_current: bool
    """Whether it encrypts."""
    rows: int
    """Rows of the database with ciphers that need it."""


class Listed(msgspec.Struct, frozen=True, rename="camel"):
    keys: list[ListedKey]
    """Newest first."""
    is_rotated: bool
    """Whether the last rotation has gone through all tables; otherwise it was stopped."""
    unmarked_rows: int
    """Rows with text that may be a cipher from before keys had ids. If it is one, it needs the oldest key; it gets the
    newest when it is stored again."""


class Rotated(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    rows: int
    """Rows of the database with ciphers that were wrapped again."""
    is_continued: bool
    """Whether there was a rotation to finish, and so no new key was made."""


class RotationRuns(Invalid):
    def __init__(self, settings: Settings) -> None:
        super().__init__(f"Another rotation of the keys of {settings.folder} is under way. Wait for it to end.")


def list_keys(settings: Settings) -> Listed:
    with open_database(settings) as database:
        ring = _open_ring(settings, database)
        rows = count_rows(database, ring)
        keys = [ListedKey(key.name, key is ring.current, rows[key.id]) for key in ring.keys]
        return Listed(keys, _is_rotated(database, ring), rows[UNMARKED])


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
        keep_fingerprint(tx, UNFINISHED, REWRAPPED)
        _record(tx, "key.continued" if is_continued else "key.created", key)
    rows = rewrap_database(database, ring)
    with database.writing() as tx:
        keep_fingerprint(tx, key.fingerprint, REWRAPPED)
        _record(tx, "key.rotated", key, rows=rows)
    return Rotated(key.name, rows, is_continued)


def _record(tx: Transaction, event: str, key: RootKey, **details: int) -> None:
    audit.record(tx, audit.NewEntry(event=event, project_id=0, target=f"key {key.name}", details=details))


def _open_ring(settings: Settings, database: Database) -> KeyRing:
    if not settings.key.is_file():
        raise Invalid(f"There is no key at {settings.key}. Name the file that has it: --key-file FILE")
    ring = KeyRing.read(settings.key)
    with database.reading() as tx:
        fingerprint = find_fingerprint(tx)
    if fingerprint is not None and not ring.has(fingerprint):
        raise WrongKey(settings.key, database.place)
    return ring


def _is_rotated(database: Database, ring: KeyRing) -> bool:
    """Also with one key: the older ones may have been removed after a rotation was stopped."""
    with database.reading() as tx:
        rewrapped = find_fingerprint(tx, REWRAPPED)
    return rewrapped == ring.current.fingerprint or (rewrapped is None and len(ring.keys) == 1)
