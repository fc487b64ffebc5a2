"""Uploaded blocks of a blob, before their block list arrives.

They are stored one after another in one file, in the order in which their uploads started. If the block list has the
same order, as with all known clients, the file only has to be moved: nothing is copied, and most of it is on the disk
already.

    <blob>-<boot>-<random>   the bytes; a new file is started when the previous one was taken
    <blob>-….sealed          the file accepts no more blocks
    <blob>.index             a line for each complete block: its id, file, offset and length
    blocks.lock              held while space is reserved, a line is written or the file is taken

Data that was not synced may be lost in a power failure, and a file may then have its full length without its contents.
So blocks of an earlier boot are ignored: a block list that names them is refused, and the client sends them again.
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

from penstock.foundation.blobs.incoming import Incoming, Part, link_or_copy, make_folder, noticing_a_full_disk
from penstock.foundation.files import durable, locks

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_writing_back = ThreadPoolExecutor(1, thread_name_prefix="blocks")


class Line(msgspec.Struct, frozen=True, array_like=True):
    block: str
    file: str
    offset: int
    size: int
    id: str = ""
    """As it is listed. Lines that an earlier version wrote have none."""


class Stretch:
    """The range of the file that one block is written to."""

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
        """Start writing to disk early; the block list then waits only for the rest."""
        _writing_back.submit(_sync, os.dup(self._file))

    def close(self) -> None:
        os.close(self._file)


class Whole(Incoming):
    """The file with all blocks. It stays in place until the blob that it has become is recorded."""

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
        """Reserve the range after all others."""
        with noticing_a_full_disk(), self._alone():
            path = self._current() or self._folder / f"{self._name}-{_boot()}-{secrets.token_hex(8)}"
            path.touch()
            offset = path.stat().st_size
            os.truncate(path, offset + size)
        return Stretch(path, offset, size)

    def keep(self, block_id: str, stretch: Stretch) -> None:
        """The block is complete; sent again, it replaces the previous one."""
        shown = block_id.encode("utf-8", "replace").decode()
        line = Line(key_of(block_id), stretch.path.name, stretch.offset, stretch.size, shown)
        with noticing_a_full_disk(), self._alone(), self._index.open("ab") as index:
            index.write(msgspec.json.encode(line) + b"\n")
        stretch.write_back()

    def give_back(self, stretch: Stretch) -> None:
        """The upload failed: release its range, if it is the last one."""
        with self._alone():
            if stretch.path.exists() and stretch.path.stat().st_size == stretch.offset + stretch.reserved:
                os.truncate(stretch.path, stretch.offset)
                if not stretch.offset:
                    stretch.path.unlink()

    def find_all(self) -> dict[str, Part]:
        """Return the parts by the key of their id; see key_of()."""
        return {line.block: Part(self._folder / line.file, line.offset, line.size) for line in self._lines()}

    def list_sizes(self) -> dict[str, int]:
        """Return the sizes of blocks by their id, in the order in which they arrived."""
        return {line.id: line.size for line in self._lines() if line.id}

    def _lines(self) -> list[Line]:
        """Return the lines of blocks that can be used."""
        lines = self._index.read_bytes().splitlines() if self._index.exists() else []
        found = [msgspec.json.decode(line, type=Line) for line in lines]
        names = {line.file for line in found}
        there = {name for name in names if _boot() in name and (self._folder / name).exists()}
        return [line for line in found if line.file in there]

    def take(self, parts: Sequence[Part]) -> Incoming | None:
        """The file itself, if the parts are all of it in their order. Later blocks go into a new file."""
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
        """The file for the next block."""
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
    """While this marker exists, the file is or becomes stored content, and is not written to any more."""
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
    """Identifies the boot of this machine; where that is not available, the run of this program."""
    text = _BOOT.read_text() if _BOOT.exists() else secrets.token_hex(16)
    return text.replace("-", "")[:16]


def _sync(file: int) -> None:
    # Only for speed: the file is synced again when it is stored, and errors are reported then.
    with suppress(OSError):
        os.fdatasync(file)
    os.close(file)
