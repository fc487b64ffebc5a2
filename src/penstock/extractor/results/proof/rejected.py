"""Writes records that cannot be in their table to a file, with the reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, BinaryIO

from penstock.extractor.base.json_text import json_text

BUFFER = 1 << 16


class Rejected:
    """The rejected records of one bucket: lines of JSON, `{"reason": …, "record": …}`, in a file per table.

    The folder is created with the first record.
    """

    def __init__(self, folder: Path, bucket: str = "") -> None:
        self._folder, self._prefix = folder, f"{bucket}." if bucket else ""
        self.counts: Counter[str] = Counter()
        """How many records of each table were rejected."""
        self._file: BinaryIO | None = None
        self._name = ""

    def add(self, table: str, record: Any, reason: str) -> None:
        line = f'{{"reason":{json_text(reason)},"record":{json_text(record)}}}\n'
        self._open(table).write(line.encode())
        self.counts[table] += 1

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, table: str) -> BinaryIO:
        """One open file at a time is enough, because bad records of a page are added together."""
        if self._file is None or self._name != table:
            self.close()
            self._folder.mkdir(exist_ok=True)
            self._file = (self._folder / f"{self._prefix}{table}.ndjson").open("ab", buffering=BUFFER)
            self._name = table
        return self._file
