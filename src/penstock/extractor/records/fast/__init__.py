"""The fast path: pages decoded straight into columns, once earlier pages have shown what the records look like.

`read_page` is the only way in; it returns the same page that the general path returns, and falls back to it.

reader.py   learns the shape of a job's records, and decodes pages of that shape
shapes.py   the types seen in each field, and the msgspec type that decodes more of the same
columns.py  the columns of a page that was decoded into structs
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from penstock.extractor.records.columns import Column, Rows
from penstock.extractor.records.fast.reader import FastReader
from penstock.extractor.records.find import DataField
from penstock.extractor.records.page import Page

__all__ = ["FastReader", "FastReaders", "read_page"]


class FastReaders:
    """The fast readers of one configuration, by job: what one run of a child job learns serves the next."""

    def __init__(self) -> None:
        self._readers: dict[str, FastReader] = {}
        self._buffer = bytearray()

    def reader_for(self, job: str, field: DataField) -> FastReader | None:
        """`job` is the path of the job in the configuration; None if its records are not at the root of a response."""
        key = "" if field.path == "0" else field.path
        if field.delimiter in key:
            return None
        if job not in self._readers:
            self._readers[job] = FastReader(key, self._buffer)
        return self._readers[job]


def read_page(reader: FastReader | None, body: bytes, read_generally: Callable[[], Page]) -> Page:
    """Returns the page with this body: decoded by the reader if it has the shape of the pages before, otherwise by
    `read_generally`, from whose result the reader learns. A page from the fast path has no document."""
    if reader is None:
        return read_generally()

    def read_and_learn() -> Page:
        return _learnt(reader, read_generally())

    rows = reader.read(body, lambda: read_and_learn().records)
    return read_and_learn() if rows is None else Page(rows, body)


def _learnt(reader: FastReader, page: Page) -> Page:
    """Returns the page with the columns that the reader has learnt from, so that they are not computed twice."""
    if not page.records:
        return page
    column = Column(page.records)
    if not reader.is_given_up:
        reader.learn(page.document, column)
    return replace(page, records=Rows(page.records, lambda: column)) if column.kinds.keys() == {dict} else page
