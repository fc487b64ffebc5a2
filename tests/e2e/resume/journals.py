"""What a power cut does to files: the end of what was written last is gone, or there but full of zeros."""

from __future__ import annotations

import random
from pathlib import Path

from penstock.extractor.requests.journal.entry import read_entry

BLOCK = 512
"""What a disk writes at once, or not at all."""


def count_answers(journal: Path) -> int:
    """How many whole ones a journal has."""
    if not journal.exists():
        return 0
    with journal.open("rb") as file:
        at = count = 0
        while (kept := read_entry(file, at)) is not None:
            at, count = kept.end, count + 1
        return count


def damage(journal: Path, part: float) -> int:
    """Spoil that part of a journal at its end; how many responses are lost by it."""
    if not journal.exists():
        return 0
    before, size = count_answers(journal), journal.stat().st_size
    luck = random.Random(part)
    at = int(size * (1 - part))
    luck.choice([_cut, _zero, _spoil])(journal, at, size)
    return before - count_answers(journal)


def _cut(journal: Path, at: int, _size: int) -> None:
    with journal.open("r+b") as file:
        file.truncate(at)


def _zero(journal: Path, at: int, size: int) -> None:
    """The blocks were given to the file, but never written."""
    at -= at % BLOCK
    with journal.open("r+b") as file:
        file.seek(at)
        file.write(bytes(size - at))


def _spoil(journal: Path, at: int, size: int) -> None:
    """One block of zeros, and what comes after it is as it was."""
    at -= at % BLOCK
    with journal.open("r+b") as file:
        file.seek(at)
        file.write(bytes(min(BLOCK, size - at)))
