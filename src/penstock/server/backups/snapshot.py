"""A data folder at one moment, although its stack goes on working.

For that moment nobody may write the metadata; reading goes on. A load commits its rows first and records them after,
so all that is recorded is in the tables. Rows that are there and not yet recorded belong to a job that has not ended,
and that job finds them when it goes on.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from penstock.foundation import blobs, locks
from penstock.foundation.trees import list_files
from penstock.server.backups.archive import BackupFailed

METADATA, CATALOG = "metadata.sqlite", "catalog.sqlite"
BUSY_SECONDS = 20

LEFT_OUT = (
    "backups",
    "ballast",
    "cache",
    "files",
    "jobs",
    "lake",
    "leftovers",
    "logs",
    "running.json",
    "tmp",
    "workers.json",
)
"""What a restored folder does not need, or what is looked at more closely than file by file."""
TOKENS = ("admin-token",)
"""Kept as they are, so that whoever has them has the stack. Only a backup with the key may hold them, which is as good
as they are; without them the next start makes new ones."""

_SEALED = """
SELECT id, progress -> '$.collected.part', progress -> '$.collected.attempt'
FROM (SELECT id, CAST(progress AS TEXT) AS progress FROM queue_jobs WHERE NOT is_finished)
WHERE progress -> '$.collected.attempt' IS NOT NULL
"""
_BLOBS = "SELECT file_id, content FROM storage_blobs"
_FILES = "SELECT path FROM ducklake_data_file UNION ALL SELECT path FROM ducklake_delete_file"

Files = dict[str, Path]
"""Name in the archive → where it is now."""


def take_snapshot(folder: Path, staging: Path, *, has_key: bool = True) -> Files:
    """Everything that belongs into a backup, which contains the key or not; what could change meanwhile is copied or
    linked into `staging`."""
    with locks.exclusive(folder / "open.lock"), closing(_open(folder / METADATA)) as reader:
        # While this is held no bytes of a file go, so that those that the metadata names are all there.
        with locks.exclusive(folder / "files" / blobs.LOCK):
            with _without_writers(folder / METADATA):
                _begin_reading(reader)
                changing = _copy_catalogs(folder, staging) | _link_outputs(reader, folder, staging)
            changing |= _link_blobs(reader, folder, staging)
        changing[METADATA] = _copy(reader, staging / METADATA)
    plain = {name: file for name, file in _plain_files(folder) if has_key or name not in TOKENS}
    return {**plain, **changing, **_data_files(folder, staging)}


@contextmanager
def _without_writers(database: Path) -> Generator[None]:
    """Hold the one write lock; whoever wants to write waits."""
    with closing(_open(database)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        yield


def _begin_reading(reader: sqlite3.Connection) -> None:
    """From its first question on a reader sees one state, also when writers have gone on."""
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _open(database: Path) -> sqlite3.Connection:
    if not database.exists():
        raise BackupFailed(f"{database} is missing, so {database.parent} is not a whole data folder.")
    return sqlite3.connect(database, timeout=BUSY_SECONDS, isolation_level=None)


def _copy(source: sqlite3.Connection, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(target)) as copy:
        # A copy that a power cut may spoil: it is read once, now.
        copy.execute("PRAGMA synchronous = OFF")
        source.backup(copy)
    return target


def _copy_catalogs(folder: Path, staging: Path) -> Files:
    copied: Files = {}
    for catalog in sorted((folder / "lake").glob(f"*/{CATALOG}")):
        name = catalog.relative_to(folder).as_posix()
        with locks.exclusive(catalog.with_name("commit.lock")), closing(_open(catalog)) as source:
            copied[name] = _copy(source, staging / name)
    return copied


def _link_outputs(metadata: sqlite3.Connection, folder: Path, staging: Path) -> Files:
    """The output of jobs that have run and are not all loaded: it exists nowhere else, and goes when they end."""
    linked: Files = {}
    for job_id, part, attempt in metadata.execute(_SEALED).fetchall() if _has(metadata, "queue_jobs") else ():
        output = folder / "jobs" / str(job_id) / str(part) / str(attempt) / "out"
        for file in list_files(output):
            name = file.relative_to(folder).as_posix()
            linked[name] = _link(file, staging / name)
    return linked


def _link_blobs(metadata: sqlite3.Connection, folder: Path, staging: Path) -> Files:
    """The bytes of files. What is being uploaded is nobody's yet, and is left out."""
    linked: Files = {}
    for file_id, content in metadata.execute(_BLOBS).fetchall() if _has(metadata, "storage_blobs") else ():
        source = blobs.BlobFolder(folder / "files").content(file_id, content)
        if not source.is_file():
            raise BackupFailed(f"{source} is missing, the bytes of a file: the folder is damaged.")
        name = source.relative_to(folder).as_posix()
        linked[name] = _link(source, staging / name)
    return linked


def _link(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # not every file system has links
        shutil.copyfile(source, target)
    return target


def _plain_files(folder: Path) -> Iterator[tuple[str, Path]]:
    for entry in sorted(folder.iterdir()):
        if entry.name in LEFT_OUT or entry.name.startswith(".") or entry.name.startswith(METADATA):
            continue
        for file in [entry, *sorted(list_files(entry))]:
            if file.is_file() and not file.is_symlink() and file.suffix != ".lock":
                yield file.relative_to(folder).as_posix(), file


def _data_files(folder: Path, staging: Path) -> Files:
    """The files of the tables, as the copied catalogs name them; they never change once they are there."""
    found: Files = {}
    for catalog in (staging / "lake").glob(f"*/{CATALOG}"):
        bucket = folder / "lake" / catalog.parent.name
        there = {file.name: file for file in (bucket / "data").rglob("*") if file.is_file()}
        for name in _read_names(catalog):
            if name not in there:
                raise BackupFailed(f"{bucket} lacks the file {name} of one of its tables: the folder is damaged.")
            found[there[name].relative_to(folder).as_posix()] = there[name]
    return found


def _read_names(catalog: Path) -> list[str]:
    with closing(_open(catalog)) as copy:
        rows = copy.execute(_FILES).fetchall() if _has(copy, "ducklake_data_file") else []
    return [Path(row[0]).name for row in rows]


def _has(database: sqlite3.Connection, table: str) -> bool:
    return bool(database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone())
