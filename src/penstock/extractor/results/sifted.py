"""Pages without the records that cannot be in their table; read again, a page is without them too."""

from __future__ import annotations

from collections.abc import Container
from itertools import compress
from typing import Any

from msgspec.structs import replace

from penstock.extractor.proof.rejected import Rejected
from penstock.extractor.proof.sieve import TypeSieve
from penstock.extractor.records.names import table_name
from penstock.extractor.records.tree import Tree
from penstock.extractor.results.spool import Batch, Source, Spooled

LONE_NULL = "A null that is the only record of its page makes no row."


class Sifter:
    """For records that are flattened: sets aside those whose types contradict the records before them."""

    def __init__(self, tree: Tree, rejected: Rejected) -> None:
        self._sieve, self._rejected = TypeSieve(tree), rejected

    def sift(self, batch: Batch) -> Batch:
        """What may stay; it must be learnt by the tree before the next page is sifted."""
        refused = self._sieve.refusals(batch.data_type, batch.records, batch.column)
        if not refused:
            return batch
        refused |= _lone_null(batch, refused)
        for place, reason in sorted(refused.items()):
            self._rejected.add(table_name(batch.data_type), batch.records[place], reason)
        return without(batch, refused)


class Sifted(Source, frozen=True):
    """Where a page without some of its records comes from."""

    mask: bytes = b""
    """A byte per record of the page: 1 for those that stay."""

    def records_in(self, page: Spooled) -> list[Any]:
        return list(compress(Source.records_in(self, page), self.mask))


def without(batch: Batch, refused: Container[int]) -> Batch:
    """The batch without the records at these places."""
    mask = bytes(place not in refused for place in range(len(batch.records)))
    facts = {name: getattr(batch.source, name) for name in Source.__struct_fields__}
    page = replace(batch.page, records=list(compress(batch.records, mask)))
    return replace(batch, source=Sifted(**facts, mask=mask), page=page)


def _lone_null(batch: Batch, refused: Container[int]) -> dict[int, str]:
    """If a null is all that would stay: alone it makes no row, and nothing may go missing without being told."""
    left = [place for place in range(len(batch.records)) if place not in refused]
    return {left[0]: LONE_NULL} if len(left) == 1 and batch.records[left[0]] is None else {}
