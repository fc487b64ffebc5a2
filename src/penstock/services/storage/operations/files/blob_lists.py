"""Blobs of a container, listed by their names: page by page, and with a delimiter folder by folder."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.blobs import BlobRow, Owner
from penstock.services.storage.store import blobs

MAX_LISTED = 5000
BATCH = 500
MAX_BATCHES = 200
"""A page may be shorter than requested: folders with many blobs are skipped, which takes a query each."""
_LAST, _BEFORE_SURROGATES, _AFTER_SURROGATES = 0x10FFFF, 0xD7FF, 0xE000


class Position(msgspec.Struct, frozen=True, array_like=True):
    """Where a page begins."""

    name: str
    is_included: bool


class ListQuery(msgspec.Struct, frozen=True, kw_only=True):
    prefix: str = ""
    delimiter: str = ""
    start: Position = Position("", True)
    limit: int = MAX_LISTED


class BlobPage(msgspec.Struct, frozen=True):
    items: list[BlobRow | str]
    """Blobs, and prefixes that end in the delimiter."""
    next: Position | None


def list_blobs(stack: Stack, owner: Owner, query: ListQuery) -> BlobPage:
    with stack.database.reading() as tx:
        found = _Listing(tx, owner, query)
        items = list(found.read())
    return BlobPage(items, found.position if found.has_more else None)


class _Listing:
    def __init__(self, tx: Transaction, owner: Owner, query: ListQuery) -> None:
        self._tx, self._owner, self._query = tx, (owner.project_id, owner.id), query
        first = Position(query.prefix, is_included=True)
        self.position = max(query.start, first, key=lambda each: each.name)
        self.has_more = False

    def read(self) -> Iterator[BlobRow | str]:
        count = 0
        for _ in range(MAX_BATCHES):
            rows = self._fetch()
            for row in rows:
                if not self._is_ahead(row.name):
                    continue
                if count == self._query.limit:
                    self.has_more = True
                    return
                yield self._take(row)
                count += 1
            if len(rows) < BATCH:
                return
        self.has_more = True

    def _fetch(self) -> list[BlobRow]:
        start = (self.position.name, self.position.is_included)
        return blobs.list_blobs(self._tx, self._owner, start, after_all(self._query.prefix), BATCH)

    def _is_ahead(self, name: str) -> bool:
        return name >= self.position.name if self.position.is_included else name > self.position.name

    def _take(self, row: BlobRow) -> BlobRow | str:
        prefix, delimiter = self._query.prefix, self._query.delimiter
        end = row.name.find(delimiter, len(prefix)) if delimiter else -1
        if end < 0:
            self.position = Position(row.name, is_included=False)
            return row
        folder = row.name[: end + len(delimiter)]
        # The name itself is the highest where nothing can come after all that begin with the folder.
        above = after_all(folder)
        self.position = Position(above, True) if above is not None else Position(chr(_LAST) * 1024, False)
        return folder


def after_all(prefix: str) -> str | None:
    """The lowest text that is higher than all that begin with the prefix; None if there is none."""
    kept = prefix.rstrip(chr(_LAST))
    if not kept:
        return None
    last = ord(kept[-1])
    return kept[:-1] + chr(_AFTER_SURROGATES if last == _BEFORE_SURROGATES else last + 1)
