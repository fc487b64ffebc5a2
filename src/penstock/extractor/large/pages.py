"""Pages whose bodies are in files: read for what the pagination needs, then taken apart into pages that fit into
memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from penstock.extractor.contents import Contents
from penstock.extractor.decode import NotJson
from penstock.extractor.errors import UserError
from penstock.extractor.formats import Format
from penstock.extractor.http import Page
from penstock.extractor.journal import Kept
from penstock.extractor.large.find import as_json, find_large
from penstock.extractor.large.limits import LIMITS
from penstock.extractor.large.slices import Part, Slices
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField

_CHUNK = 1 << 20
SHOWN = 1 << 10


class Filtered(Slices):
    """With what the filter makes of each record; raises what `broken` makes of a mistake in the file."""

    def __init__(self, slices: Slices, filter_: Filter, broken: Callable[[NotJson], UserError]) -> None:
        super().__init__(slices.path, slices.spans)
        self._filter, self._broken = filter_, broken

    def read(self, number: int) -> Part:
        try:
            part = super().read(number)
        except NotJson as error:
            raise self._broken(error) from error
        return replace(part, records=self._filter.apply(part.records))


class LargePages:
    """The large pages of one run of a job."""

    def __init__(self, folder: Path, contents: Contents, field: DataField, filter_: Filter) -> None:
        self._folder, self._contents, self._field, self._filter = folder, contents, field, filter_

    def settle(self, path: Path, form: Format) -> None:
        """Rewrite a body in another format as JSON, in its place."""
        as_json(path, form, self._contents.endpoint)

    def take(self, path: Path) -> bytes:
        """A body that has to be read as a whole, into memory; the file is gone then."""
        if path.stat().st_size > LIMITS.item:
            raise UserError(
                f"The response of '{self._contents.endpoint}' cannot be read: it is larger than {LIMITS.item:,} bytes, "
                "and `ignoreErrors` says that it may be anything. Take 0 and its status out of there, or ask for "
                "smaller pages."
            )
        body = path.read_bytes()
        path.unlink()
        return body

    def read(self, kept: Kept) -> Page:
        path = self._folder / kept.entry.file
        try:
            large = find_large(path, self._field, self._contents.endpoint)
        except NotJson as error:
            raise self._broken(error, path) from error
        self._contents.tell([large.warning] if large.warning else [], large.dropped)
        records, bulk = self._filtered(large.records, path)
        return Page(records, _mark(path), large.document, kept.answer.headers, at=kept.at, bulk=bulk)

    def _filtered(self, records: Sequence[Any], path: Path) -> tuple[Sequence[Any], int]:
        """And how many bytes of them are only in the file."""
        if not isinstance(records, Slices):
            return self._filter.apply(list(records)), 0
        return Filtered(records, self._filter, lambda error: self._broken(error, path)), records.size

    def parts(self, page: Page) -> Iterator[Page]:
        """A page that is not large is its only part."""
        if not isinstance(page.records, Filtered):
            yield page
            return
        if not page.records:
            yield replace(page, records=[])
        dropped = 0
        for part in page.records.parts():
            dropped += part.dropped
            yield replace(page, records=part.records, part=(part.start, part.end), column=None)
        self._contents.tell([], dropped)

    def _broken(self, error: NotJson, path: Path) -> UserError:
        with path.open("rb") as file:
            return self._contents.broken(error, file.read(SHOWN))


def _mark(path: Path) -> bytes:
    """In place of the body, for whoever compares pages: JSON that is the same only for the same bytes."""
    check = 0
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            check = zlib.crc32(chunk, check)
    return b'"%d bytes, %08x"' % (path.stat().st_size, check)
