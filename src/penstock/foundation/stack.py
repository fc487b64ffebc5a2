"""An open stack: one data folder, with everything that is kept in it.

format             the number of the folder's format
key                the stack's key, unless a setting puts it elsewhere
metadata.sqlite    projects, tokens, configurations, buckets, tables, jobs, events
lake/              table data, a folder per bucket
files/             the bytes of files, see blobs.py
jobs/              data folders of running jobs
logs/  backups/    what they say
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec

from penstock.foundation import clock, durable, locks
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid
from penstock.foundation.lake import Lake
from penstock.foundation.migrations import FORMAT, migrate
from penstock.foundation.outbound import Policy
from penstock.foundation.secrets import Cipher, read_or_make_key


def _nobody_listens() -> None:
    """Workers look for themselves, now and then."""


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path
    domain: str
    database: Database
    lake: Lake
    cipher: Cipher
    outbound: Policy
    ring: Callable[[], None] = _nobody_listens
    """Wakes the workers: there is something to do."""

    @property
    def jobs_folder(self) -> Path:
        return self.folder / "jobs"

    @property
    def files_folder(self) -> Path:
        return self.folder / "files"

    def close(self) -> None:
        self.lake.close()
        self.database.close()


def open_stack(folder: Path, domain: str, outbound: Policy, key: Path) -> Stack:
    """Open a data folder, making it or bringing it to today's format first."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locks.exclusive(folder / "open.lock"):
        _check_format(folder)
        secret = _open_key(folder, key)
        database = _open_database(folder)
    return Stack(
        folder=folder,
        domain=domain,
        database=database,
        lake=Lake(folder / "lake"),
        cipher=Cipher(secret),
        outbound=outbound,
    )


def _open_key(folder: Path, key: Path) -> bytes:
    if read_format(folder) and not key.exists():
        raise Invalid(
            f"The stack in {folder} has secrets, and the key to them is not at {key}. "
            "Put it back, or say where it is: penstock up --key-file FILE"
        )
    return read_or_make_key(key)


def read_format(folder: Path) -> int:
    """0 for a folder that holds no stack yet."""
    file = folder / "format"
    text = file.read_text(errors="replace").strip() if file.exists() else "0"
    if not text.isdecimal():
        raise Invalid(f"{file} should hold the number of the folder's format, not {text!r}. Restore it from a backup.")
    return int(text)


def _check_format(folder: Path) -> None:
    if (found := read_format(folder)) > FORMAT:
        raise Invalid(
            f"{folder} has format {found}, and this version of Penstock reads up to {FORMAT}. "
            "Start it with the version that wrote it, or a newer one."
        )


def _open_database(folder: Path) -> Database:
    found, path = read_format(folder), folder / "metadata.sqlite"
    if found and not path.exists():
        raise Invalid(f"The stack's database is gone from {path}. Restore it from a backup.")
    if found and found < FORMAT:
        _copy_metadata(path, folder / "backups" / f"metadata-format-{found}-{clock.now():%Y%m%dT%H%M%S}.sqlite")
    database = Database(path)
    if found < FORMAT:
        migrate(database.engine)
        durable.write_file(folder / "format", f"{FORMAT}\n".encode())
    return database


def _copy_metadata(source: Path, target: Path) -> None:
    """A consistent copy, whatever the database is doing."""
    target.parent.mkdir(exist_ok=True)
    with sqlite3.connect(source) as old, sqlite3.connect(target) as new:
        old.backup(new)
    old.close()
    new.close()
    durable.sync_path(target)
