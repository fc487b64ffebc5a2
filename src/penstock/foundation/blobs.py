"""The bytes of files on disk: received beside, synced, and only then put where they are found.

incoming/          what is being received or put together; goes when that fails
staged/<file>/     blocks that wait for their list, and slices of an export that is being written
stored/<file>/     contents: whole, synced, and never changed once they are there
remove.lock        held while contents are removed, and by a backup while it collects them

No name that a client sent becomes a part of a path.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from penstock.foundation import durable, locks
from penstock.foundation.errors import Unavailable

LOCK = "remove.lock"
CHUNK = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT)
_CANNOT_COPY = (errno.ENOSYS, errno.EXDEV, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)


class DiskFull(Unavailable):
    def __init__(self) -> None:
        super().__init__("The disk of this stack is full. Nothing was kept; try again when there is room.")


class Part(msgspec.Struct, frozen=True):
    """A stretch of a file."""

    path: Path
    offset: int
    size: int


class Incoming:
    """A file that nobody finds yet; it gets its place when all of it is there, or goes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / secrets.token_hex(16)
        with _noticing_a_full_disk():
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("xb")
        self.size = 0

    def write(self, chunks: Sequence[bytes]) -> None:
        with _noticing_a_full_disk():
            self._file.writelines(chunks)
        self.size += sum(map(len, chunks))

    def append(self, part: Part) -> None:
        """Copy within the file system: one that can share what two files have in common copies nothing."""
        with part.path.open("rb") as source, _noticing_a_full_disk():
            self._file.flush()
            _copy(source.fileno(), self._file.fileno(), part)
        self.size += part.size

    def move(self, target: Path, *, is_synced: bool = True) -> None:
        """Put it in its place; what was there before is replaced whole."""
        with _noticing_a_full_disk():
            self._file.flush()
            if is_synced:
                os.fsync(self._file.fileno())
            self._file.close()
            _make_folder(target.parent)
            self.path.replace(target)
            if is_synced:
                durable.sync_path(target.parent)

    def discard(self) -> None:
        """Leave nothing; after a move there is nothing to leave."""
        with suppress(OSError):  # what could not be written on a full disk is tried once more on closing
            self._file.close()
        self.path.unlink(missing_ok=True)


class BlobFolder(msgspec.Struct, frozen=True):
    root: Path

    def receive(self) -> Incoming:
        return Incoming(self.root / "incoming")

    def stage(self, incoming: Incoming, file_id: int, blob: str, block_id: str) -> None:
        # The list that joins the blocks is what is acknowledged, and synced. It misses a block that a power cut took.
        incoming.move(self.block(file_id, blob, block_id), is_synced=False)

    def store(self, incoming: Incoming, file_id: int) -> str:
        """Make a content of it; returns its name."""
        name = new_name()
        incoming.move(self.content(file_id, name))
        return name

    def adopt(self, path: Path, file_id: int) -> str:
        """Make a content of a file that somebody else wrote; it also stays where it was, to be adopted again."""
        name = new_name()
        target = self.content(file_id, name)
        with _noticing_a_full_disk():
            durable.sync_path(path)
            _make_folder(target.parent)
            _link_or_copy(path, target)
            durable.sync_path(target.parent)
        return name

    def join(self, parts: Sequence[Part]) -> Incoming:
        """One file of many stretches; raises FileNotFoundError when one of them has gone."""
        incoming = self.receive()
        try:
            for part in parts:
                incoming.append(part)
        except BaseException:
            incoming.discard()
            raise
        return incoming

    def content(self, file_id: int, name: str) -> Path:
        return self.root / "stored" / str(file_id) / name

    def staging(self, file_id: int) -> Path:
        return self.root / "staged" / str(file_id)

    def block(self, file_id: int, blob: str, block_id: str) -> Path:
        return self.staging(file_id) / f"{_hash(blob)}-{_hash(block_id)}"

    def drop_blocks(self, file_id: int, blob: str) -> None:
        for path in self.staging(file_id).glob(f"{_hash(blob)}-*"):
            path.unlink(missing_ok=True)

    def drop_contents(self, file_id: int, names: Sequence[str]) -> None:
        if not names:
            return
        with locks.exclusive(self.root / LOCK):
            for name in names:
                self.content(file_id, name).unlink(missing_ok=True)

    def remove(self, file_id: int) -> None:
        """Everything of a file; what is open stays readable until it is closed."""
        with locks.exclusive(self.root / LOCK):
            for folder in (self.root / "stored" / str(file_id), self.staging(file_id)):
                shutil.rmtree(folder, ignore_errors=True)

    def file_ids(self) -> set[int]:
        """Of all files that have something here."""
        folders = [*(self.root / "stored").glob("*"), *(self.root / "staged").glob("*")]
        return {int(folder.name) for folder in folders if folder.name.isdecimal()}

    def sweep(self, seconds: float) -> None:
        """Remove what was received or staged so long ago that nobody goes on with it."""
        oldest = time.time() - seconds
        for path in [*(self.root / "incoming").glob("*"), *(self.root / "staged").glob("*/*")]:
            with suppress(FileNotFoundError):
                if path.is_file() and path.stat().st_mtime < oldest:
                    path.unlink()


def new_name() -> str:
    return secrets.token_hex(16)


def _copy(source: int, target: int, part: Part) -> None:
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


def _link_or_copy(path: Path, target: Path) -> None:
    with suppress(OSError):  # not every file system has links
        os.link(path, target)
        return
    try:
        shutil.copyfile(path, target)
        durable.sync_path(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        durable.sync_path(folder.parent)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@contextmanager
def _noticing_a_full_disk() -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull from error
        raise
