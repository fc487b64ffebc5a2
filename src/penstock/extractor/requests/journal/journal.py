"""All responses of a run in one file, in the order in which they were received."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.requests.journal.entry import Entry, JournalEntry, read_entry, write_entry
from penstock.extractor.requests.journal.sync import Syncing

LARGE = "large-"


class EntryIndex:
    """The offsets of the entries that an interrupted attempt has left, by their keys: filled, sorted, then searched.

    An entry takes sixteen bytes: a run may have millions of pages, and resuming it must not need more memory.
    """

    def __init__(self) -> None:
        self._numbers, self._offsets = array("Q"), array("Q")

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def add(self, key: str, offset: int) -> None:
        self._numbers.append(hash_key(key))
        self._offsets.append(offset)

    def sort(self) -> None:
        order = sorted(range(len(self._numbers)), key=self._numbers.__getitem__)
        self._numbers = array("Q", map(self._numbers.__getitem__, order))
        self._offsets = array("Q", map(self._offsets.__getitem__, order))

    def find(self, key: str) -> int | None:
        number = hash_key(key)
        index = bisect_left(self._numbers, number)
        is_there = index < len(self._numbers) and self._numbers[index] == number
        return self._offsets[index] if is_there else None


def hash_key(key: str) -> int:
    """Returns a hash of the key, of 64 bits."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())


class Journal:
    """Opened empty, or with the entries of an interrupted attempt; an incomplete entry at the end is dropped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / "pages"
        if path.is_symlink():  # never write through a link
            path.unlink()
        path.touch(mode=0o600)
        self._file: BinaryIO = path.open("r+b", buffering=1 << 16)
        self._index = EntryIndex()
        self._end = self._left = 0
        self._is_at_end = False
        self._load()
        self._syncing = Syncing(self._file.fileno(), folder, folder.parent)

    @property
    def waiting(self) -> int:
        """Returns how many responses an interrupted attempt has left."""
        return self._left

    def append(self, entry: Entry, body: bytes) -> JournalEntry:
        """The entry survives the end of this process when this returns, and a power failure a second later."""
        at = self._end
        if not self._is_at_end:
            self._file.seek(at)
        self._is_at_end = False
        self._end += write_entry(self._file, entry, body)
        self._file.flush()
        self._is_at_end = True
        self._syncing.notify()
        return JournalEntry(at, self._end, entry, body)

    def take(self, key: str) -> JournalEntry | None:
        """Returns the response that an interrupted attempt received for this key."""
        at = self._find(key)
        return None if at is None else self.read(at)

    def peek(self, key: str) -> JournalEntry | None:
        """Returns the same, without its body."""
        at = self._find(key)
        return None if at is None else self.read(at, is_whole=False)

    def read(self, at: int, *, is_whole: bool = True) -> JournalEntry:
        self._is_at_end = False
        stored = read_entry(self._file, at, is_whole=is_whole)
        if stored is None:
            raise OSError(f"The entry at byte {at} of {self._file.name} can no longer be read")
        return stored

    def place_for(self, key: str) -> Path:
        """Returns the file for the body of this response, if it is large."""
        return self.folder / f"{LARGE}{hash_key(key):016x}"

    def sync(self) -> None:
        """Makes all entries durable now, before the process exits."""
        self._syncing.sync()

    def close(self) -> None:
        self._syncing.stop()
        with suppress(OSError):  # append() has raised for what could not be written
            self._file.close()

    def _find(self, key: str) -> int | None:
        return self._index.find(key) if self._index else None

    def _load(self) -> None:
        files: set[str] = set()
        while (stored := read_entry(self._file, self._end)) is not None and self._has_file(stored.entry):
            self._index.add(stored.entry.key, self._end)
            self._end = stored.end
            self._left += stored.entry.last < 0
            files.add(stored.entry.file)
        self._index.sort()
        self._file.truncate(self._end)
        for path in self.folder.glob(f"{LARGE}*"):
            if path.name not in files:
                path.unlink()

    def _has_file(self, entry: Entry) -> bool:
        path = self.folder / entry.file
        return not entry.file or (path.is_file() and path.stat().st_size == entry.size)
