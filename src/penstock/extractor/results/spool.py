"""Pages on disk between reading and writing, so that memory stays bounded whatever the number of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.decode import decode
from penstock.extractor.http import Page
from penstock.extractor.records.columns import Column
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField, find_records
from penstock.extractor.records.typed import Rows


class Source(msgspec.Struct, frozen=True):
    """Where pages come from: enough to find their records again."""

    data_type: str
    endpoint: str
    field: DataField = DataField("")
    filter: Filter = Filter()

    def records_in(self, document: Any) -> list[Any]:
        return self.filter.apply(find_records(document, self.field, self.endpoint).records)


class Batch(msgspec.Struct, frozen=True):
    """A page on its way to tables, with the columns that all its rows get besides their own."""

    source: Source
    page: Page
    extra: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])

    @property
    def data_type(self) -> str:
        return self.source.data_type

    @property
    def records(self) -> Sequence[Any]:
        return self.page.records

    @property
    def column(self) -> Column:
        """The records as one column, taken apart already if the page was."""
        return self.records.column if isinstance(self.records, Rows) else Column(self.records)


class Spool:
    """Batches in the order they were received."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+b", buffering=1 << 20)
        self._index: list[tuple[Source, dict[str, Any], int]] = []

    def __len__(self) -> int:
        return len(self._index)

    def append(self, batch: Batch) -> None:
        self._file.write(batch.page.body)
        self._index.append((batch.source, batch.extra, len(batch.page.body)))

    def extras(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The data type and the extra columns of every batch."""
        return ((source.data_type, extra) for source, extra, _size in self._index)

    def first(self, count: int) -> Iterator[Batch]:
        self._file.seek(0)
        for source, extra, size in self._index[:count]:
            body = self._file.read(size)
            yield Batch(source, Page(source.records_in(decode(body).document), body), extra)

    def close(self) -> None:
        self._file.close()
