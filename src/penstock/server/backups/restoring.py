"""Restores a data folder from a backup: unpacked and checked in a temporary folder, then moved into place in one
step."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from penstock.app import find_schema
from penstock.foundation.files import durable, locks
from penstock.server.backups.archive import (
    CHUNK,
    CONTENTS,
    HEADER,
    VERSION,
    BackupFailed,
    Counted,
    Entry,
    Header,
    check_member,
)
from penstock.server.backups.keys import check_given, check_own, read_fingerprint
from penstock.server.backups.snapshot import METADATA
from penstock.server.running import LOCK

T = TypeVar("T")

HEADER_BYTES, CONTENTS_BYTES = 1 << 16, 1 << 29


class NotOurs(BackupFailed):
    def __init__(self, archive: Path) -> None:
        super().__init__(f"{archive} is not a backup that Penstock made.")


class Damaged(BackupFailed):
    def __init__(self, archive: Path, reason: str) -> None:
        super().__init__(f"{archive} is damaged: {reason.rstrip('.')}. Nothing was restored; use another backup.")


def restore_backup(archive: Path, folder: Path, key: Path | None = None) -> Header:
    """Turn a backup into a data folder, atomically.

    `key` is the key file for the restored stack, if it is not the one in the backup.
    """
    folder = folder.resolve()
    _check_place(folder)
    try:
        if key:
            _check_header(archive, key)
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            header = _unpack(archive, staging)
            _check_key(archive, header, staging, key)
            durable.sync_tree(staging)
            # Replaces an empty folder, and fails if it was filled in the meantime.
            staging.rename(folder)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        durable.sync_path(folder.parent)
    except OSError as error:
        raise BackupFailed(f"{archive} could not be restored into {folder}: {error}.") from error
    return header


def _check_place(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BackupFailed(f"{folder} is not a folder. Name another one: --data-dir DIR")
    if (folder / LOCK).exists():
        lock = locks.try_to_hold(folder / LOCK)
        if not lock:
            holder = locks.holder_of(folder / LOCK)
            raise BackupFailed(
                f"A stack is running on {folder} (process {holder}). Name another folder: --data-dir DIR"
            )
        lock.close()
    if any(folder.iterdir()):
        raise BackupFailed(f"{folder} is not empty. Move it away, or restore into another folder: --data-dir DIR")


def _check_header(archive: Path, key: Path) -> None:
    """Check the header before anything is unpacked."""
    if not key.is_file():
        raise BackupFailed(f"There is no key at {key}. Name the file that has it: --key-file FILE")
    with _opened(archive) as tar:
        header = _read_header(tar, archive)
    check_given(archive, header.key_fingerprint, key, has_own=header.has_key)


def _check_key(archive: Path, header: Header, staging: Path, key: Path | None) -> None:
    """Compared with the metadata itself: the header of an older backup has no fingerprint."""
    fingerprint = read_fingerprint(staging / METADATA) if (staging / METADATA).exists() else None
    if key:
        check_given(archive, fingerprint, key, has_own=header.has_key)
    elif header.has_key and (staging / "key").is_file():
        check_own(archive, fingerprint, staging / "key")


def _unpack(archive: Path, staging: Path) -> Header:
    with _opened(archive) as tar:
        header = _read_header(tar, archive)
        _check_contents(archive, list(_extract(tar, staging, archive)))
    if (staging / "format").read_text().strip() != str(header.format):
        raise Damaged(archive, "its format number is not that of its folder")
    return header


@contextmanager
def _opened(archive: Path) -> Generator[tarfile.TarFile]:
    if not archive.is_file():
        raise BackupFailed(f"There is no file {archive}.")
    try:
        with _open(archive) as tar:
            yield tar
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise Damaged(archive, str(error)) from error


def _open(archive: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(archive)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise NotOurs(archive) from error


def _read_header(tar: tarfile.TarFile, archive: Path) -> Header:
    first = tar.next()
    if not first or first.name != HEADER or not first.isreg():
        raise NotOurs(archive)
    header = _decode(tar, first, HEADER_BYTES, Header, archive)
    newest = find_schema().format
    if header.version > VERSION or header.format > newest:
        raise BackupFailed(
            f"{archive} was made by Penstock {header.penstock} and has format {header.format}; "
            f"this version reads up to {newest}. Restore it with that version or a newer one."
        )
    return header


def _extract(tar: tarfile.TarFile, staging: Path, archive: Path) -> Iterator[Entry | list[Entry]]:
    """Yields each unpacked file; last the list of expected files."""
    while member := tar.next():
        if member.name == CONTENTS:
            yield _decode(tar, member, CONTENTS_BYTES, list[Entry], archive)
        else:
            check_member(member, staging)
            yield _write(tar, member, staging / member.name)


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> Entry:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    source = tar.extractfile(member)
    assert source
    counted = Counted(source)
    # O_EXCL: no member may replace another.
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while chunk := counted.read(CHUNK):
            file.write(chunk)
    return counted.entry(member.name)


def _check_contents(archive: Path, unpacked: list[Entry | list[Entry]]) -> None:
    *files, listed = unpacked or [[]]
    if not isinstance(listed, list):
        raise Damaged(archive, "it is cut short")
    if files != listed:
        raise Damaged(archive, "its files are not those that were put into it")


def _decode(tar: tarfile.TarFile, member: tarfile.TarInfo, limit: int, into: type[T], archive: Path) -> T:
    source = tar.extractfile(member)
    content = source.read(limit) if source else b""
    try:
        return msgspec.json.decode(content, type=into)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NotOurs(archive) from error
