"""A file that is being received, or assembled from others."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from penstock.foundation.errors import Unavailable
from penstock.foundation.files import durable

CHUNK = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT)
_CANNOT_COPY = (errno.ENOSYS, errno.EXDEV, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)


class DiskFull(Unavailable):
    def __init__(self) -> None:
        super().__init__("The disk of this stack is full. Nothing was stored; try again when there is space.")


class Part(msgspec.Struct, frozen=True):
    """A range of a file."""

    path: Path
    offset: int
    size: int


class Incoming:
    """A temporary file; it is moved into place once complete, or removed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / secrets.token_hex(16)
        with noticing_a_full_disk():
            make_folder(folder)
            self._file = self.path.open("xb")
        self.size = 0

    def write(self, chunks: Sequence[bytes]) -> None:
        with noticing_a_full_disk():
            self._file.writelines(chunks)
        self.size += sum(map(len, chunks))

    def read_start(self, size: int) -> bytes:
        """The first bytes that were written."""
        with noticing_a_full_disk():
            self._file.flush()
        with self.path.open("rb") as file:
            return file.read(size)

    def append(self, part: Part) -> None:
        """Copy within the file system; one with shared extents copies nothing."""
        with part.path.open("rb") as source, noticing_a_full_disk():
            self._file.flush()
            copy(source.fileno(), self._file.fileno(), part)
        self.size += part.size

    def move(self, target: Path) -> None:
        """Move it into place; an existing file is replaced atomically."""
        with noticing_a_full_disk():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            make_folder(target.parent)
            self.path.replace(target)
            durable.sync_path(target.parent)

    def discard(self) -> None:
        """Remove the file; does nothing after move()."""
        with suppress(OSError):  # closing retries what could not be written to a full disk
            self._file.close()
        self.path.unlink(missing_ok=True)


def copy(source: int, target: int, part: Part) -> None:
    offset, left = part.offset, part.size
    try:
        while left and (copied := os.copy_file_range(source, target, left, offset)):
            offset, left = offset + copied, left - copied
    except (AttributeError, OSError) as error:  # absent on macOS, and not every file system can
        if isinstance(error, OSError) and error.errno not in _CANNOT_COPY:
            raise
    while left and (chunk := os.pread(source, min(CHUNK, left), offset)):
        written = os.write(target, chunk)
        offset, left = offset + written, left - written
    if left:
        raise OSError(errno.EIO, f"{part.path} is shorter than it was.")


def link_or_copy(path: Path, target: Path) -> None:
    with suppress(OSError):  # not every file system has links
        os.link(path, target)
        return
    try:
        shutil.copyfile(path, target)
        durable.sync_path(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Create the folder for its owner only, whatever the umask of the command is."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True, mode=0o700)
        durable.sync_path(folder.parent)


@contextmanager
def noticing_a_full_disk() -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull from error
        raise
