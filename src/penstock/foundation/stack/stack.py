"""An open stack: one data folder, with everything that is kept in it.

format             the number of the folder's format
key                the stack's key, unless a setting puts it elsewhere
metadata.sqlite    projects, tokens, configurations, buckets, tables, jobs, events; or
postgresql         where the PostgreSQL is that keeps these
lake/              table data, a folder per bucket
files/             the bytes of files, see blobs.py
archives/          the programs of published components, in the same way
jobs/              data folders of running jobs
workspaces/        databases of users, see penstock/sql/folders.py
logs/  backups/    what they say
ballast            room for when the disk is full, see files/ballast.py
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid
from penstock.foundation.files import locks
from penstock.foundation.files.ballast import Ballast
from penstock.foundation.lake import Lake, Unpacking
from penstock.foundation.lake.engine import THREADS
from penstock.foundation.migrations import Schema
from penstock.foundation.outbound import Policy
from penstock.foundation.secrets import Cipher, KeyRing
from penstock.foundation.settings import Settings
from penstock.foundation.stack.catalog_versions import find_version
from penstock.foundation.stack.metadata_locations import MetadataLocation, find_location
from penstock.foundation.stack.server_paths import ServerPaths, paths_of


def _nobody_listens(_service_id: str) -> None:
    """Workers look for themselves, now and then."""


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path
    database: Database
    lake: Lake
    cipher: Cipher
    outbound: Policy
    settings: Settings = Settings()
    notify_workers: Callable[[str], None] = _nobody_listens
    """Wakes the workers of a service: there is a job to claim. All others poll."""
    closers: list[Callable[[], None]] = []
    """Called when it is closed, the last one first: they end what services have started in this process."""

    @property
    def domain(self) -> str:
        return self.settings.domain

    @property
    def jobs_folder(self) -> Path:
        return self.folder / "jobs"

    @property
    def files_folder(self) -> Path:
        return self.folder / "files"

    @property
    def paths(self) -> ServerPaths:
        """Hides them from users."""
        return paths_of(self.folder)

    @property
    def ballast(self) -> Ballast:
        return Ballast(self.folder)

    def with_settings(self, **changes: Any) -> Stack:
        """The same stack, with some settings changed."""
        return msgspec.structs.replace(self, settings=msgspec.structs.replace(self.settings, **changes))

    def close(self) -> None:
        while self.closers:
            self.closers.pop()()
        self.lake.close()
        self.database.close()


def open_stack(settings: Settings, outbound: Policy, schema: Schema) -> Stack:
    """Open a data folder; a new one is made, an older one is migrated to the schema."""
    folder = settings.folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    Ballast(folder).ensure_room()
    with locks.exclusive(folder / "open.lock"):
        found = _check_format(folder, schema)
        location = find_location(folder, found, settings.database, schema)
        ring = _open_key(settings.key, location)
        opened = location.open()
    lake = Lake(folder / "lake", least_version=partial(_find_version, opened))
    lake.threads = settings.lake_threads or THREADS
    lake.unpacking = Unpacking(settings.unpacked_megabytes, settings.unpacked_ratio)
    return Stack(
        folder=folder,
        database=opened,
        lake=lake,
        cipher=Cipher(ring),
        outbound=outbound,
        settings=settings,
    )


def _find_version(database: Database, catalog: str) -> int:
    with database.reading() as tx:
        return find_version(tx, catalog)


def _open_key(key: Path, location: MetadataLocation) -> KeyRing:
    if location.has_stack() and not key.exists():
        raise Invalid(
            f"The stack in {location.place} has secrets, and the key to them is not at {key}. "
            "Put it back, or say where it is: penstock up --key-file FILE"
        )
    return KeyRing.open(key)


def read_format(folder: Path) -> int:
    """0 for a folder that holds no stack yet."""
    file = folder / "format"
    text = file.read_text(errors="replace").strip() if file.exists() else "0"
    if not text.isdecimal():
        raise Invalid(f"{file} should hold the number of the folder's format, not {text!r}. Restore it from a backup.")
    return int(text)


def _check_format(folder: Path, schema: Schema) -> int:
    if (found := read_format(folder)) > schema.format:
        raise Invalid(
            f"{folder} has format {found}, and this version of Penstock reads up to {schema.format}. "
            "Start it with the version that wrote it, or a newer one."
        )
    return found
