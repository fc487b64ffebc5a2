"""Folders as ZIP files, and back. What comes out of one stays inside the folder it is meant for, and within bounds."""

from __future__ import annotations

import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from penstock.foundation.errors import Invalid
from penstock.runtime.written import is_text

ARCHIVE_BYTES = 1 << 30
UNPACKED_BYTES = 10 << 30
MAX_FILES = 100_000
MAX_LEVELS = 100
PATH_BYTES = 3800
_CHUNK = 1 << 20
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, IndexError),
    *(NotImplementedError, RuntimeError, EOFError, OSError, ValueError),
)


class BadArchive(Invalid):
    """The sentence names the archive."""


def pack(folder: Path, target: Path, change: Callable[[str, Path], bytes | None] = lambda _name, _path: None) -> None:
    """Pack all plain files of the folder; not more than may be unpacked again. `change` returns what replaces a file's
    content, or nothing."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1, strict_timestamps=False) as archive:
        left = UNPACKED_BYTES
        for path in list_plain(folder):
            left -= path.stat().st_size
            if left < 0:
                raise BadArchive(f'"{folder.name}" holds more than {UNPACKED_BYTES:,} bytes.')
            name = path.relative_to(folder).as_posix()
            changed = change(name, path)
            if changed is None:
                archive.write(path, name)
            else:
                archive.writestr(name, changed)


def list_plain(folder: Path) -> Iterator[Path]:
    """Yield plain files at any depth that an archive can hold, in order of name; no link is followed."""
    if folder.is_symlink() or not folder.is_dir():
        return
    levels = [iter(sorted(folder.iterdir()))]
    while levels:
        entry = next(levels[-1], None)
        if not entry:
            levels.pop()
        elif entry.is_symlink():
            continue
        elif entry.is_dir():
            _check_path(folder, entry, len(levels))
            levels.append(iter(sorted(entry.iterdir())))
        elif entry.is_file():
            _check_path(folder, entry, 0)
            yield entry


def _check_path(folder: Path, entry: Path, level: int) -> None:
    if level > MAX_LEVELS or len(os.fsencode(entry)) > PATH_BYTES:
        raise BadArchive(f'The folders in "{folder.name}" are nested too deeply: {MAX_LEVELS} levels may be stored.')
    if not is_text(entry.name):
        raise BadArchive(f'The name of the file {entry.name!a} in "{folder.name}" is not UTF-8.')


def unpack(archive: Path, folder: Path) -> None:
    """Every name is looked at before the first file is written."""
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
            _check(archive, entries)
            left = UNPACKED_BYTES
            for entry in entries:
                left -= _unpack_one(opened, entry, folder, left, archive.name)
    except _UNREADABLE as error:
        raise BadArchive(f'"{archive.name}" cannot be unpacked: {error}') from error


def _check(archive: Path, entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_FILES or sum(entry.file_size for entry in entries) > UNPACKED_BYTES:
        raise BadArchive(f'"{archive.name}" holds more than {MAX_FILES:,} files or {UNPACKED_BYTES:,} bytes.')
    for entry in entries:
        parts = PurePosixPath(entry.filename).parts
        if not parts or "\\" in entry.filename or ".." in parts or PurePosixPath(entry.filename).is_absolute():
            raise BadArchive(f'"{archive.name}" holds "{entry.filename[:200]}", which leads out of its folder.')


def _unpack_one(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, left: int, name: str) -> int:
    """Counts what really comes: the sizes that an archive states are only its word."""
    target, size = folder / entry.filename, 0
    target.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(entry) as source, target.open("wb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise BadArchive(f'"{name}" holds more than {UNPACKED_BYTES:,} bytes.')
            file.write(chunk)
    return size
