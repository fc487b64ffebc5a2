"""Pages whose bodies are in files: read as far as pagination needs, then split into pages that fit into memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from penstock.extractor.base.charset import UnknownCharset
from penstock.extractor.base.decode import NotJson
from penstock.extractor.base.errors import UserError
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField
from penstock.extractor.records.page import Page
from penstock.extractor.records.trace import START
from penstock.extractor.requests.journal import JournalEntry
from penstock.extractor.responses.contents import Contents
from penstock.extractor.responses.large.convert import is_blank
from penstock.extractor.responses.large.find import as_json, find_large, read_document
from penstock.extractor.responses.large.limits import LIMITS, Limits
from penstock.extractor.responses.large.slices import Part, Slices
from penstock.extractor.responses.large.spans import load_spans
from penstock.extractor.responses.large.transcode import as_utf8

SHOWN = 1 << 10


class Filtered(Slices):
    """Slices with the filter applied to each record."""

    def __init__(self, slices: Slices, filter_: Filter) -> None:
        super().__init__(slices.path, slices.spans, slices.explain)
        self._filter = filter_

    def read(self, number: int) -> Part:
        part = super().read(number)
        return replace(part, records=self._filter.apply(part.records))


class Settled(msgspec.Struct, frozen=True):
    """The result of rewriting the body of a page as JSON in UTF-8."""

    dropped: int = 0
    """How many invalid bytes were dropped."""
    is_blank: bool = False
    """Whether it holds nothing but white space; then the file has been deleted."""


class LargePages:
    """The large pages of one run of a job."""

    def __init__(
        self, folder: Path, contents: Contents, field: DataField, filter_: Filter, limits: Limits = LIMITS
    ) -> None:
        self._folder, self._contents, self._field, self._filter = folder, contents, field, filter_
        self._limits = limits

    def settle(self, path: Path, content_type: str, number: int) -> Settled:
        """Rewrites the body of a page in another charset or format as JSON in UTF-8, in place. A body of white space
        is an empty response in any format."""
        form = self._contents.reading.format
        dropped = self._decode(path, content_type, number) if form.is_json else 0
        if is_blank(path, form, self._limits.chunk):
            path.unlink()
            return Settled(dropped, is_blank=True)
        as_json(path, form, self._contents.endpoint)
        return Settled(dropped)

    def _decode(self, path: Path, content_type: str, number: int) -> int:
        try:
            return as_utf8(path, content_type, self._limits.chunk)
        except UnknownCharset as error:
            raise self._contents.unknown_charset(error, number) from error

    def take(self, path: Path) -> bytes:
        """Reads a body into memory as a whole, and deletes the file."""
        if path.stat().st_size > LIMITS.item:
            raise UserError(
                f"The response of '{self._contents.endpoint}' cannot be read: it is larger than {LIMITS.item:,} bytes, "
                "and `ignoreErrors` says that it may be anything. Take 0 and its status out of there, or ask for "
                "smaller pages."
            )
        body = path.read_bytes()
        path.unlink()
        return body

    def read(self, stored: JournalEntry) -> Page:
        path = self._folder / stored.entry.file
        explain = partial(self._broken, path)
        try:
            large = find_large(path, self._field, self._contents.endpoint, self._limits, explain)
        except NotJson as error:
            raise explain(error) from error
        self._contents.warn([large.warning] if large.warning else [], large.dropped)
        reread = partial(read_document, path, self._limits, explain)
        records, headers = self._filtered(large.records), stored.response.headers
        mark, start = _marks(path)
        return Page(records, mark, large.document, headers, at=stored.at, start=start, reread=reread, load=load_spans)

    def _filtered(self, records: Sequence[Any]) -> Sequence[Any]:
        # A null that is the only record counts as no record, which callers check by comparing with a list.
        if not isinstance(records, Slices) or (len(records) == 1 and records[0] is None):
            return self._filter.apply(list(records))
        return Filtered(records, self._filter)

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
            yield replace(page, records=part.records, part=(part.start, part.end))
        self._contents.warn([], dropped)

    def _broken(self, path: Path, error: NotJson) -> UserError:
        with path.open("rb") as file:
            return self._contents.broken(error, file.read(SHOWN))


def _marks(path: Path) -> tuple[bytes, bytes]:
    """Returns a digest that takes the place of the body when pages are compared, and the beginning of the body."""
    with path.open("rb", buffering=0) as file:
        start = file.read(START)
        file.seek(0)
        return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=16)).hexdigest().encode(), start
