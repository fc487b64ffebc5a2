"""An open stack: one data folder, with everything that is kept in it.

format             the number of the folder's format
key                the stack's key, unless a setting puts it elsewhere
metadata.sqlite    projects, tokens, configurations, buckets, tables, jobs, events; or
postgresql         where the PostgreSQL is that keeps these
lake/              table data, a folder per bucket
files/             the bytes of files, see blobs.py
jobs/              data folders of running jobs
logs/  backups/    what they say
ballast            room for when the disk is full, see ballast.py
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from penstock.foundation import locks
from penstock.foundation.ballast import Ballast
from penstock.foundation.catalog_versions import find_version
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid
from penstock.foundation.lake import Lake
from penstock.foundation.metadata_locations import MetadataLocation, find_location
from penstock.foundation.migrations import FORMAT
from penstock.foundation.outbound import Policy
from penstock.foundation.secrets import Cipher, read_or_make_key
from penstock.foundation.server_paths import ServerPaths, paths_of


def _nobody_listens() -> None:
    """Workers look for themselves, now and then."""


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path
    domain: str
    database: Database
    lake: Lake
    cipher: Cipher
    outbound: Policy
    workers: int = 1
    """How many worker processes the stack has."""
    jobs_per_project: int | None = None
    """How many jobs of one project run at a time, and below: of Storage's. None is all but one worker, see share()."""
    storage_jobs_per_project: int | None = None
    storage_job_timeout: int = 21_600
    job_disk_megabytes: int = 100_000
    disk_reserve_megabytes: int = 512
    component_niceness: int = 0
    notify_workers: Callable[[], None] = _nobody_listens
    """Wakes the workers: there is something to do."""

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

    def close(self) -> None:
        self.lake.close()
        self.database.close()


def open_stack(folder: Path, domain: str, outbound: Policy, key: Path, database: str | None = None) -> Stack:
    """Open a data folder, making it or bringing it to today's format first."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    Ballast(folder).ensure_room()
    with locks.exclusive(folder / "open.lock"):
        _check_format(folder)
        location = find_location(folder, read_format(folder), database)
        secret = _open_key(key, location)
        opened = location.open()
    return Stack(
        folder=folder,
        domain=domain,
        database=opened,
        lake=Lake(folder / "lake", least_version=partial(_find_version, opened)),
        cipher=Cipher(secret),
        outbound=outbound,
    )


def _find_version(database: Database, catalog: str) -> int:
    with database.reading() as tx:
        return find_version(tx, catalog)


def _open_key(key: Path, location: MetadataLocation) -> bytes:
    if location.has_stack() and not key.exists():
        raise Invalid(
            f"The stack in {location.place} has secrets, and the key to them is not at {key}. "
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
