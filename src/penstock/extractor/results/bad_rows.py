"""Removes records from pages that cannot be in their table, also when the pages are read again."""

from __future__ import annotations

from collections.abc import Container
from itertools import compress
from typing import Any

from msgspec.structs import replace

from penstock.extractor.records.names import table_name
from penstock.extractor.records.tree import Tree
from penstock.extractor.results.proof.rejected import Rejected, TypeChecker
from penstock.extractor.results.spool import Batch, Source, Spooled

LONE_NULL = "A null that is the only record of its page makes no row."


class BadRowFilter:
    """Rejects records whose types contradict earlier records; for records that are flattened."""

    def __init__(self, tree: Tree, rejected: Rejected) -> None:
        self._checker, self._rejected = TypeChecker(tree), rejected

    def filter(self, batch: Batch) -> Batch:
        """Returns the batch without rejected records; the tree must learn it before the next page is filtered."""
        refused = self._checker.refusals(batch.data_type, batch.records, batch.column)
        if not refused:
            return batch
        refused |= _lone_null(batch, refused)
        for index, reason in sorted(refused.items()):
            self._rejected.add(table_name(batch.data_type), batch.records[index], reason)
        return without(batch, refused)


class FilteredSource(Source, frozen=True):
    """The source of a page without some of its records."""

    mask: bytes = b""
    """A byte per record of the page: 1 for those that are not rejected."""

    def records_in(self, page: Spooled) -> list[Any]:
        return list(compress(Source.records_in(self, page), self.mask))


def without(batch: Batch, refused: Container[int]) -> Batch:
    """Returns the batch without the records at these indexes."""
    mask = bytes(index not in refused for index in range(len(batch.records)))
    facts = {name: getattr(batch.source, name) for name in Source.__struct_fields__}
    page = replace(batch.page, records=list(compress(batch.records, mask)))
    return replace(batch, source=FilteredSource(**facts, mask=mask), page=page)


def _lone_null(batch: Batch, refused: Container[int]) -> dict[int, str]:
    """Rejects a null that would be left as the only record, because a lone null makes no row, and would be lost."""
    left = [index for index in range(len(batch.records)) if index not in refused]
    return {left[0]: LONE_NULL} if len(left) == 1 and batch.records[left[0]] is None else {}
