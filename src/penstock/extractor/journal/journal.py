"""All answers of a run in one file, in the order in which they came."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.journal.entry import Entry, JournalEntry, read_entry, write_entry
from penstock.extractor.journal.places import Places, number_of
from penstock.extractor.journal.sync import Syncing

LARGE = "large-"


class Journal:
    """Opened empty, or with what an earlier attempt has left; a part of an entry at its end is dropped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / "pages"
        if path.is_symlink():  # never write to where somebody else leads
            path.unlink()
        path.touch(mode=0o600)
        self._file: BinaryIO = path.open("r+b", buffering=1 << 16)
        self._places = Places()
        self._end = self._left = 0
        self._is_at_end = False
        self._load()
        self._syncing = Syncing(self._file.fileno(), folder, folder.parent)

    @property
    def waiting(self) -> int:
        """How many answers an earlier attempt has left."""
        return self._left

    def append(self, entry: Entry, body: bytes) -> JournalEntry:
        """It survives the end of this process from now on, and a power cut within a second."""
        at = self._end
        if not self._is_at_end:
            self._file.seek(at)
        self._is_at_end = False
        self._end += write_entry(self._file, entry, body)
        self._file.flush()
        self._is_at_end = True
        self._syncing.tell()
        return JournalEntry(at, self._end, entry, body)

    def take(self, key: str) -> JournalEntry | None:
        """The response that an earlier attempt got for this key."""
        at = self._find(key)
        return None if at is None else self.read(at)

    def peek(self, key: str) -> JournalEntry | None:
        """The same, without its body."""
        at = self._find(key)
        return None if at is None else self.read(at, is_whole=False)

    def read(self, at: int, *, is_whole: bool = True) -> JournalEntry:
        self._is_at_end = False
        kept = read_entry(self._file, at, is_whole=is_whole)
        if kept is None:
            raise OSError(f"What was kept at byte {at} of {self._file.name} is not there any more")
        return kept

    def place_for(self, key: str) -> Path:
        """Where the body of this response goes if it is large."""
        return self.folder / f"{LARGE}{number_of(key):016x}"

    def sync(self) -> None:
        """Whoever leaves it behind to be found again does not count on another second."""
        self._syncing.sync()

    def close(self) -> None:
        self._syncing.stop()
        with suppress(OSError):  # of what could not be written on a full disk, whoever appended it has heard
            self._file.close()

    def _find(self, key: str) -> int | None:
        return self._places.find(key) if self._places else None

    def _load(self) -> None:
        files: set[str] = set()
        while (kept := read_entry(self._file, self._end)) is not None and self._has_file(kept.entry):
            self._places.add(kept.entry.key, self._end)
            self._end = kept.end
            self._left += kept.entry.last < 0
            files.add(kept.entry.file)
        self._places.sort()
        self._file.truncate(self._end)
        for path in self.folder.glob(f"{LARGE}*"):
            if path.name not in files:
                path.unlink()

    def _has_file(self, entry: Entry) -> bool:
        path = self.folder / entry.file
        return not entry.file or (path.is_file() and path.stat().st_size == entry.size)
