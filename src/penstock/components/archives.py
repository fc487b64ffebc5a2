"""Archives of components: ZIP files that are checked completely before anything of them is used.

An archive comes from anyone who may publish, so nothing that it says of itself is believed. All names are checked
before the first file is written; sizes are those of what was really unpacked; memory does not depend on the archive.
"""

from __future__ import annotations

import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import msgspec

from penstock.foundation.errors import Invalid

MAX_FILES = 20_000
UNPACKED_BYTES = 2 << 30
MAX_LEVELS = 30
NAME_BYTES, PATH_BYTES = 255, 1_000
DIRECTORY_BYTES = 4 << 20
"""Of the list of files at the end of the archive, which is read into memory."""
_END, _LOCATOR = 22, 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Others reserve as much memory as the archive says."""
_PLAIN = (0, stat.S_IFREG)
_CHUNK = 1 << 20
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, IndexError),
    *(NotImplementedError, RuntimeError, EOFError, ValueError, UnicodeError),
)


class BadArchive(Invalid):
    """Nothing of the archive was kept."""

    status = 422
    code = "developer.badArchive"


class Unpacked(msgspec.Struct, frozen=True):
    files: int
    bytes: int


def unpack_archive(file: BinaryIO, folder: Path) -> Unpacked:
    """Unpack into a folder that does not exist yet; raises BadArchive. What was written until then is the caller's to
    remove. Everybody may read the result: where a stack runs as root, components run as another user."""
    try:
        _check_directory(file)
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if not _is_folder(entry)]
            _check_entries(entries)
            _make_folders(folder, entries)
            return Unpacked(len(entries), _unpack_all(archive, entries, folder))
    except _UNREADABLE as error:
        raise BadArchive(f"The archive cannot be read as a ZIP file: {error}.") from error


def _check_directory(file: BinaryIO) -> None:
    """The end of the file says how long the list of files is. It is read here because zipfile reads the whole list."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END - _LOCATOR))
    tail = file.read()
    if len(tail) < _END or tail[-_END:][:4] != b"PK\5\6":
        raise BadArchive("The archive is not a ZIP file, is cut off, or ends with a comment. Pack it without one.")
    count, directory = struct.unpack("<HL", tail[-_END:][10:16])
    if tail[:-_END][-_LOCATOR:].startswith(b"PK\6\7") or count > MAX_FILES or directory > DIRECTORY_BYTES:
        raise _too_many()


def _too_many() -> BadArchive:
    return BadArchive(f"The archive holds more than {MAX_FILES:,} files. Leave out what the program does not need.")


def _is_folder(entry: zipfile.ZipInfo) -> bool:
    """Folders are made for the files in them; the entry of one is checked like that of a file, and then not needed."""
    if entry.is_dir():
        _check_path(entry.filename.rstrip("/") or "/")
    return entry.is_dir()


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if not entries:
        raise BadArchive("The archive holds no file.")
    if len(entries) > MAX_FILES:
        raise _too_many()
    for entry in entries:
        _check_entry(entry)
    _check_unique(entry.filename for entry in entries)
    if sum(entry.file_size for entry in entries) > UNPACKED_BYTES:
        raise _too_large()


def _check_entry(entry: zipfile.ZipInfo) -> None:
    _check_path(entry.filename)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in _PLAIN:
        what = "a link" if kind == stat.S_IFLNK else "a device, a pipe or a folder"
        raise BadArchive(f"The archive holds {_show(entry.filename)}, which is {what}. Only plain files are taken.")
    if entry.compress_type not in _METHODS or entry.flag_bits & 1:
        raise BadArchive(f"{_show(entry.filename)} in the archive is encrypted, or packed in another way than deflate.")


def _check_path(name: str) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or path.as_posix() != name or not name.isprintable():
        raise BadArchive(
            f"The archive holds {_show(name)}, which is not a name below its folder. "
            "Names are relative, without `..`, backslashes and control characters."
        )
    longest = max(len(part.encode()) for part in path.parts) if path.parts else 0
    if len(path.parts) > MAX_LEVELS or len(name.encode()) > PATH_BYTES or not 0 < longest <= NAME_BYTES:
        raise BadArchive(f"The archive holds {_show(name)}, whose name is too long, or nested too deeply.")


def _check_unique(names: Iterable[str]) -> None:
    """Refuses also a file that would be the folder of another one. Regardless of case: so are the disks of some
    machines."""
    seen, folders = set[str](), set[str]()
    for name in names:
        path = PurePosixPath(name.lower())
        if str(path) in seen:
            raise BadArchive(f"The archive holds {_show(name)} twice.")
        seen.add(str(path))
        folders.update(str(parent) for parent in path.parents)
    if both := seen & folders:
        raise BadArchive(f"The archive holds {_show(min(both))} as a file and as a folder.")


def _make_folders(folder: Path, entries: list[zipfile.ZipInfo]) -> None:
    parents = {parent for entry in entries for parent in PurePosixPath(entry.filename).parents}
    for path in sorted(parents, key=lambda path: len(path.parts)):
        (folder / path).mkdir()
        (folder / path).chmod(0o755)


def _unpack_all(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], folder: Path) -> int:
    left = UNPACKED_BYTES
    for entry in entries:
        left -= _unpack_one(archive, entry, folder / entry.filename, left)
    return UNPACKED_BYTES - left


def _unpack_one(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int) -> int:
    size = 0
    with archive.open(entry) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise _too_large()
            file.write(chunk)
    target.chmod(0o755 if entry.external_attr >> 16 & 0o111 else 0o644)
    return size


def _too_large() -> BadArchive:
    return BadArchive(f"The archive unpacks to more than {UNPACKED_BYTES:,} bytes.")


def _show(name: str) -> str:
    return f'"{name[:200]!s}"' if name.isprintable() else f"{name[:200]!a}"
