"""Writes a backup: complete and synced under its name, or not at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from penstock import __version__
from penstock.app import find_schema
from penstock.foundation import clock
from penstock.foundation.files import durable, locks
from penstock.foundation.stack import read_format
from penstock.foundation.stack.metadata_locations import read_note
from penstock.server.backups.archive import ArchiveWriter, BackupFailed, Header
from penstock.server.backups.keys import read_fingerprint
from penstock.server.backups.snapshot import METADATA, Files, take_snapshot

STAGING = ".backup-"
COMPRESSION = 6
"""Table files are already compressed; a higher level would only take more time."""


class Written(msgspec.Struct, frozen=True):
    has_key: bool
    files: int
    bytes: int


def write_backup(folder: Path, target: Path, *, key: Path | None = None, force: bool = False) -> Written:
    """Write a data folder to one file, which only its owner may read."""
    try:
        header = _make_header(_check(folder, target, force), key or folder / "key", folder)
        with _staging(folder) as staging, _written_whole(target, force) as file:
            return _write(file, target.name, header, take_snapshot(folder, staging, has_key=header.has_key))
    except (OSError, ValueError, sqlite3.Error) as error:
        raise BackupFailed(f"The backup of {folder} could not be written to {target}: {error}.") from error


def _make_header(format_number: int, key: Path, folder: Path) -> Header:
    return Header(
        format=format_number,
        penstock=__version__,
        created=clock.now().isoformat(timespec="seconds"),
        has_key=key.is_file() and key.is_relative_to(folder),
        key_fingerprint=read_fingerprint(folder / METADATA) if (folder / METADATA).exists() else None,
    )


def _check(folder: Path, target: Path, force: bool) -> int:
    format_number = read_format(folder)
    if not format_number:
        raise BackupFailed(f"There is no stack in {folder}. Name its folder: penstock backup FILE --data-dir DIR")
    if format_number > (newest := find_schema().format):
        raise BackupFailed(f"{folder} has format {format_number}, and this version of Penstock reads up to {newest}.")
    if location := read_note(folder):
        raise BackupFailed(
            f"The stack in {folder} keeps its metadata in {location}. Stop it, save that with pg_dump, copy the folder."
        )
    if target.resolve().is_relative_to(folder.resolve()):
        raise BackupFailed(f"{target} is in the data folder itself. Choose a place outside {folder}.")
    if (target.exists() and not target.is_file()) or not target.parent.is_dir():
        raise BackupFailed(f"{target} cannot be a file. Choose a name in a folder that exists.")
    if target.exists() and not force:
        raise _taken(target)
    return format_number


def _taken(target: Path) -> BackupFailed:
    return BackupFailed(f"{target} is already there. Choose another name, or replace it with --force.")


@contextmanager
def _staging(folder: Path) -> Generator[Path]:
    """A temporary folder in the data folder, so that files can be linked into it; leftovers of a killed backup are
    removed first."""
    lock = locks.try_to_hold(folder / "backup.lock")
    if not lock:
        raise BackupFailed(f"Another backup of {folder} is being made. Wait for it to end.")
    with lock:
        for leftover in folder.glob(f"{STAGING}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=STAGING, dir=folder) as path:
            yield Path(path)


@contextmanager
def _written_whole(target: Path, force: bool) -> Generator[IO[bytes]]:
    """A temporary file, which is renamed to the target once it is complete and synced."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not force:
            _reserve(target)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    durable.sync_path(target.parent)


def _reserve(target: Path) -> None:
    """Create the file only if it does not exist."""
    try:
        target.touch(mode=0o600, exist_ok=False)
    except FileExistsError as error:
        raise _taken(target) from error


def _write(file: IO[bytes], name: str, header: Header, files: Files) -> Written:
    with _open_tar(file, name) as tar:
        archive = ArchiveWriter(tar)
        archive.add_header(header)
        for inside, source in files.items():
            archive.add_file(inside, source)
        archive.add_contents()
    return Written(header.has_key, len(files), archive.size)


def _open_tar(file: IO[bytes], name: str) -> tarfile.TarFile:
    if name.endswith((".gz", ".tgz")):
        return tarfile.open(fileobj=file, mode="w:gz", compresslevel=COMPRESSION)
    return tarfile.open(fileobj=file, mode="w")
