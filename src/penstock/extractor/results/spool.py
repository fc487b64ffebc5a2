"""The pages of one bucket in the order in which they were added, as offsets in the journal.

The journal has the responses already, so a few bytes per page are enough.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.records.columns import Column, get_column
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField, find_records
from penstock.extractor.records.page import Page
from penstock.extractor.requests.journal import Journal, JournalEntry
from penstock.extractor.requests.journal.entry import unpack
from penstock.extractor.responses.contents import Reading
from penstock.extractor.responses.tally import JobTally

Counted = Callable[[], None]


class Spooled(msgspec.Struct, frozen=True):
    """A page, or a part of a large one, in the journal."""

    stored: JournalEntry
    file: Path | None = None
    part: tuple[int, int] = (0, 0)
    """The range of bytes of its records in the file; (0, 0) for all records of the file, if they are few."""


class Source(msgspec.Struct, frozen=True):
    """What is needed to find the records of a page again."""

    data_type: str
    endpoint: str
    field: DataField = DataField("")
    filter: Filter = Filter()
    reading: Reading = Reading()

    def records_in(self, page: Spooled) -> list[Any]:
        if page.file is not None:
            from penstock.extractor.responses.large.find import read_records  # only here: few runs have large pages

            return self.filter.apply(read_records(page.file, page.part, self.field, self.endpoint))
        document = self.reading.read(page.stored.response).document
        return self.filter.apply(find_records(document, self.field, self.endpoint).records)


class Batch(msgspec.Struct, frozen=True):
    """A page to be written to tables, with the extra columns of its rows."""

    source: Source
    page: Page
    extra: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    tally: JobTally | None = None
    """Counts its rejected records."""
    counted: Counted | None = None
    """Counts the page when it is written; set only for the first part of a large one."""
    number: int = 1
    """The number of the page, for messages."""
    first: int = 0
    """How many records are in the earlier parts of a large page."""
    endpoint: str = ""
    """The endpoint with its placeholders filled, for messages; empty if it is that of the source."""

    @property
    def data_type(self) -> str:
        return self.source.data_type

    @property
    def records(self) -> Sequence[Any]:
        return self.page.records

    @property
    def is_nothing(self) -> bool:
        """Returns whether the response has no records, or only a null; in a part of a large one a null is a record."""
        return not self.records or (self.records == [None] and not any(self.page.part))

    @property
    def column(self) -> Column:
        """Returns the records as one column."""
        return get_column(self.records)


class Spool:
    """Batches, to be read again in the order in which they were appended."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._sources: dict[Source, int] = {}
        self._places, self._from = array("Q"), array("L")
        self._starts, self._ends = array("Q"), array("Q")

    def __len__(self) -> int:
        return len(self._places)

    def append(self, batch: Batch) -> None:
        self._places.append(batch.page.at)
        self._from.append(self._sources.setdefault(batch.source, len(self._sources)))
        start, end = batch.page.part
        self._starts.append(start)
        self._ends.append(end)

    def extras(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields the data type and the extra columns of every batch."""
        sources = list(self._sources)
        for number, at in zip(self._from, self._places, strict=True):
            yield sources[number].data_type, unpack(self._journal.read(at, is_whole=False).entry.extra)

    def first(self, count: int) -> Iterator[Batch]:
        sources = list(self._sources)
        for index in range(count):
            source, page = sources[self._from[index]], self._read(index)
            records = source.records_in(page)
            yield Batch(source, Page(records, page.stored.body, part=page.part), unpack(page.stored.entry.extra))

    def _read(self, index: int) -> Spooled:
        stored = self._journal.read(self._places[index])
        file = self._journal.folder / stored.entry.file if stored.entry.file else None
        return Spooled(stored, file, (self._starts[index], self._ends[index]))
