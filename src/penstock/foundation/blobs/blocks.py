"""Blocks of a blob that wait for their list.

They stand one behind another in one file, in the order in which they began to come. A list in the same order, which is
what clients send, then only has to give that file its place: nothing is copied, and most of it is on the disk already.

<blob>-<boot>-<random>   the bytes; a new file begins when the one before was taken
<blob>-….sealed          nothing more goes into that file
<blob>.index             a line for each block that is complete: which, in which file, where, how long
blocks.lock              held while a place is given, a line written or the file taken

What was not synced may be gone after a power cut, and a file may then be as long as before and hold nothing. So blocks
of an earlier boot are not looked at: whoever lists them is told that they are missing, and sends them again.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec

from penstock.foundation import durable, locks
from penstock.foundation.blobs.incoming import Incoming, Part, link_or_copy, make_folder, noticing_a_full_disk

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_writing_back = ThreadPoolExecutor(1, thread_name_prefix="blocks")


class Line(msgspec.Struct, frozen=True, array_like=True):
    block: str
    file: str
    offset: int
    size: int


class Stretch:
    """A place in the file that one block is written to."""

    def __init__(self, path: Path, offset: int, size: int) -> None:
        self.path, self.offset, self.reserved = path, offset, size
        self.size = 0
        self._file = os.open(path, os.O_WRONLY)

    def write(self, chunks: Sequence[bytes]) -> None:
        with noticing_a_full_disk():
            for chunk in chunks:
                self._write(memoryview(chunk)[: self.reserved - self.size])

    def _write(self, left: memoryview) -> None:
        while left:
            written = os.pwrite(self._file, left, self.offset + self.size)
            self.size, left = self.size + written, left[written:]

    def write_back(self) -> None:
        """Let the disk begin; the list waits only for what is still missing then."""
        _writing_back.submit(_sync, os.dup(self._file))

    def close(self) -> None:
        os.close(self._file)


class Whole(Incoming):
    """The file with all blocks. It stays where it is until everybody knows of the blob that it has become."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("r+b")
        self.size = path.stat().st_size

    def move(self, target: Path) -> None:
        with noticing_a_full_disk():
            os.fsync(self._file.fileno())
            make_folder(target.parent)
            link_or_copy(self.path, target)
            durable.sync_path(target.parent)

    def discard(self) -> None:
        self._file.close()


class Blocks:
    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._index = folder / f"{name}.index"

    def reserve(self, size: int) -> Stretch:
        """A place behind all others."""
        with noticing_a_full_disk(), self._alone():
            path = self._current() or self._folder / f"{self._name}-{_boot()}-{secrets.token_hex(8)}"
            path.touch()
            offset = path.stat().st_size
            os.truncate(path, offset + size)
        return Stretch(path, offset, size)

    def keep(self, block_id: str, stretch: Stretch) -> None:
        """The block is complete; sent again, it replaces the one before."""
        line = Line(key_of(block_id), stretch.path.name, stretch.offset, stretch.size)
        with noticing_a_full_disk(), self._alone(), self._index.open("ab") as index:
            index.write(msgspec.json.encode(line) + b"\n")
        stretch.write_back()

    def give_back(self, stretch: Stretch) -> None:
        """The block did not come: its place goes, unless another has one behind it."""
        with self._alone():
            if stretch.path.exists() and stretch.path.stat().st_size == stretch.offset + stretch.reserved:
                os.truncate(stretch.path, stretch.offset)
                if not stretch.offset:
                    stretch.path.unlink()

    def find_all(self) -> dict[str, Part]:
        """By the key of their id; see key_of()."""
        lines = self._index.read_bytes().splitlines() if self._index.exists() else []
        found = [msgspec.json.decode(line, type=Line) for line in lines]
        files = {line.file: self._folder / line.file for line in found}
        there = {name for name, path in files.items() if _boot() in name and path.exists()}
        return {line.block: Part(files[line.file], line.offset, line.size) for line in found if line.file in there}

    def take(self, parts: Sequence[Part]) -> Incoming | None:
        """The file itself, if the parts are all of it in their order. What comes from now on goes into another one."""
        with self._alone():
            whole = self._folder / parts[0].path.name if parts else None
            if not whole or not _are_all_of(whole, parts):
                return None
            _seal_of(whole).touch()
            return Whole(whole)

    def drop(self) -> None:
        with self._alone():
            for path in (self._index, *self._folder.glob(f"{self._name}-*")):
                path.unlink(missing_ok=True)

    def _current(self) -> Path | None:
        """The file that the next block goes into."""
        files = [path for path in self._folder.glob(f"{self._name}-{_boot()}-*") if not path.suffix]
        return next((path for path in files if not _seal_of(path).exists()), None)

    @contextmanager
    def _alone(self) -> Generator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with locks.exclusive(self._folder / "blocks.lock"):
            yield


def key_of(block_id: str) -> str:
    return hashlib.sha256(block_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _seal_of(path: Path) -> Path:
    """Where it stands, the file is or becomes a stored one, and is not written to any more."""
    return path.with_suffix(".sealed")


def _are_all_of(whole: Path, parts: Sequence[Part]) -> bool:
    offset = 0
    for part in parts:
        if part.path != whole or part.offset != offset:
            return False
        offset += part.size
    return offset == whole.stat().st_size


@cache
def _boot() -> str:
    """Which run of this machine it is; where that cannot be told, which run of this program."""
    text = _BOOT.read_text() if _BOOT.exists() else secrets.token_hex(16)
    return text.replace("-", "")[:16]


def _sync(file: int) -> None:
    # Only to have it over with: whoever stores the file syncs it, and is told what goes wrong.
    with suppress(OSError):
        os.fdatasync(file)
    os.close(file)
