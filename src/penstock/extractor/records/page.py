"""A response with its records, as pagination and the results see it; and the values in it: at a path of its document,
or in a header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from penstock.extractor.base.path import look_up
from penstock.extractor.records.columns import Column, Rows, get_column
from penstock.extractor.records.trace import Trace

NO_HEADERS: Mapping[str, str] = {}


class Page(msgspec.Struct, frozen=True):
    """A response: its records, and the JSON they were read from."""

    records: Sequence[Any]
    body: bytes = b""
    """Its JSON text; for a body in a file, a digest of its bytes."""
    document: Any = None
    headers: Mapping[str, str] = NO_HEADERS
    asked: float = 0.0
    received: float = 0.0
    """Unix times of the request and of the response."""
    at: int = 0
    """Its offset in the journal."""
    part: tuple[int, int] = (0, 0)
    """Which bytes of a large body these records are; (0, 0) for a body whose records are all here."""
    start: bytes = b""
    """The beginning of a body in a file."""
    reread: Callable[[], Any] | None = None
    """Reads the document again, if the body is in a file."""
    load: Callable[[Any], Any] | None = None
    """Reads a value of the document into memory, if parts of it may still be in a file."""
    is_verified: bool = True
    """Whether the response declared its length or its end, so that a truncated one would have been an error."""
    is_error: bool = False
    """Whether its status is an error that the configuration ignores."""
    empty: str = ""
    """Which page it is, for the report, if its body was unexpectedly empty."""

    @property
    def trace(self) -> Trace:
        return Trace(self.body, len(self.records), self.start or self.body, self.reread)

    def values(self, path: str) -> Sequence[Any]:
        """Returns what the records hold at a path; None where a record holds nothing."""
        column = self._column_at(path)
        return [look_up(path, record) for record in self.records] if column is None else column.values

    def extreme(self, path: str, *, is_low: bool) -> int | None:
        """Returns the highest or lowest whole number at a path, where the column knows it; otherwise None."""
        column = self._column_at(path)
        return None if column is None else column.extreme(is_low=is_low)

    def _column_at(self, path: str) -> Column | None:
        """Returns the column of a key, if the records have columns; a path with dots leads into objects instead."""
        is_known = isinstance(self.records, Rows) and "." not in path
        return get_column(self.records).members.get(path) if is_known else None


def find_value(page: Page, path: str, header: str = "", delimiter: str = ".") -> Any:
    """Returns None if it is not there; the path is ignored if a header is named."""
    if header:
        return find_header(page, header)
    value = look_up(path, page.document, delimiter)
    return page.load(value) if page.load else value


def find_header(page: Page, name: str) -> str | None:
    lower_name = name.lower()
    return next((value for key, value in page.headers.items() if key.lower() == lower_name), None)
