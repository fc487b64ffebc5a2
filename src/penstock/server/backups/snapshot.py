"""A consistent snapshot of a data folder, while its stack is running.

Meanwhile writers of the metadata wait; readers do not. A load commits its rows first and records them after, so all
recorded rows are in the tables. Rows that are not yet recorded belong to an unfinished job, which finds them when it
continues.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from penstock.foundation import blobs
from penstock.foundation.files import locks
from penstock.foundation.files.trees import list_files
from penstock.server.backups.archive import BackupFailed

METADATA, CATALOG = "metadata.sqlite", "catalog.sqlite"
BUSY_SECONDS = 20

LEFT_OUT = (
    "actions",
    "archives",
    "backups",
    "ballast",
    "cache",
    "files",
    "images",
    "jobs",
    "lake",
    "leftovers",
    "logs",
    "running.json",
    "tmp",
    "workers.json",
)
"""What a restored folder does not need, or what is copied with more care than file by file."""
UNENCRYPTED_SECRETS = ("admin-token", "projects.json", "tls")
"""Tokens give access to the stack, and the key of its authority signs certificates that programs trust. Only a backup
with the stack's key, which is as sensitive, contains them; without them the next start creates new ones."""

_SEALED = """
SELECT id, progress -> '$.collected.part', progress -> '$.collected.attempt'
FROM (SELECT id, CAST(progress AS TEXT) AS progress FROM queue_jobs WHERE NOT is_finished)
WHERE progress -> '$.collected.attempt' IS NOT NULL
"""
_BLOBS = {
    "files": ("storage_blobs", "SELECT file_id, content FROM storage_blobs"),
    "archives": ("developer_archives", "SELECT id, content FROM developer_archives"),
    "images": ("developer_image_blobs", "SELECT DISTINCT content_id, content FROM developer_image_blobs"),
}
"""By the folder with the bytes: the table and the query that name them."""
_FILES = "SELECT path FROM ducklake_data_file UNION ALL SELECT path FROM ducklake_delete_file"

Files = dict[str, Path]
"""Name in the archive → its present path."""


def take_snapshot(folder: Path, staging: Path, *, has_key: bool = True) -> Files:
    """Return all files of a backup, with or without the key; those that could change in the meantime are copied or
    linked into `staging`."""
    with locks.exclusive(folder / "open.lock"), closing(_open(folder / METADATA)) as reader:
        # While this is held, no bytes of files are removed, so that all those in the metadata exist.
        with ExitStack() as held:
            for of in _BLOBS:
                held.enter_context(locks.exclusive(folder / of / blobs.LOCK))
            with _without_writers(folder / METADATA):
                _begin_reading(reader)
                changing = _copy_catalogs(folder, staging) | _link_outputs(reader, folder, staging)
            for of in _BLOBS:
                changing |= _link_blobs(reader, folder, staging, of)
        changing[METADATA] = _copy(reader, staging / METADATA)
    left_out = () if has_key else UNENCRYPTED_SECRETS
    plain = {name: file for name, file in _plain_files(folder) if name.split("/")[0] not in left_out}
    return {**plain, **changing, **_data_files(folder, staging)}


@contextmanager
def _without_writers(database: Path) -> Generator[None]:
    """Hold the write lock; writers wait."""
    with closing(_open(database)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        yield


def _begin_reading(reader: sqlite3.Connection) -> None:
    """Begin a snapshot: from its first query on, a reader sees one state, even when writers continue."""
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _open(database: Path) -> sqlite3.Connection:
    if not database.exists():
        raise BackupFailed(f"{database} is missing, so {database.parent} is not a whole data folder.")
    return sqlite3.connect(database, timeout=BUSY_SECONDS, isolation_level=None)


def _copy(source: sqlite3.Connection, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(target)) as copy:
        # Not synced: the copy is read once, now.
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
    """The output of jobs that have run and are not completely loaded: it exists nowhere else, and is removed when they
    end."""
    linked: Files = {}
    for job_id, part, attempt in metadata.execute(_SEALED).fetchall() if _has(metadata, "queue_jobs") else ():
        output = folder / "jobs" / str(job_id) / str(part) / str(attempt) / "out"
        for file in list_files(output):
            name = file.relative_to(folder).as_posix()
            linked[name] = _link(file, staging / name)
    return linked


def _link_blobs(metadata: sqlite3.Connection, folder: Path, staging: Path, of: str) -> Files:
    """The bytes of files, of archives or of images. Uploads in progress are not recorded yet, and are left out."""
    linked: Files = {}
    table, query = _BLOBS[of]
    for file_id, content in metadata.execute(query).fetchall() if _has(metadata, table) else ():
        source = blobs.BlobFolder(folder / of).content(file_id, content)
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
    """The files of the tables, as listed by the copied catalogs; they are immutable."""
    files: Files = {}
    for catalog in (staging / "lake").glob(f"*/{CATALOG}"):
        bucket = folder / "lake" / catalog.parent.name
        there = {file.name: file for file in (bucket / "data").rglob("*") if file.is_file()}
        for name in _read_names(catalog):
            if name not in there:
                raise BackupFailed(f"{bucket} lacks the file {name} of one of its tables: the folder is damaged.")
            files[there[name].relative_to(folder).as_posix()] = there[name]
    return files


def _read_names(catalog: Path) -> list[str]:
    with closing(_open(catalog)) as copy:
        rows = copy.execute(_FILES).fetchall() if _has(copy, "ducklake_data_file") else []
    return [Path(row[0]).name for row in rows]


def _has(database: sqlite3.Connection, table: str) -> bool:
    return bool(database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone())
