"""Turns the records of one bucket into tables: mapped by the configuration, or flattened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.extractor.records.mapping import TableMapping, missing_tables
from penstock.extractor.records.types import Types
from penstock.extractor.records.upserts import Upsert
from penstock.extractor.results.bad_rows import BadRowFilter
from penstock.extractor.results.flattened import Flattened
from penstock.extractor.results.mapped import Mapped
from penstock.extractor.results.proof.duplicates import Keys, RowKeys
from penstock.extractor.results.proof.rejected import Rejected
from penstock.extractor.results.spool import Batch, Counted, Source
from penstock.extractor.results.tables import Tables

if TYPE_CHECKING:
    from penstock.extractor.results.legacy import LegacyFlattened

__all__ = ["Batch", "Bucket", "Counted", "Flattened", "Source"]


class Bucket:
    """The tables of one bucket, which several iterations may write to."""

    def __init__(
        self,
        tables: Tables,
        flattened: Flattened | LegacyFlattened,
        mappings: Mapping[str, Any],
        keys: Keys | None = None,
        rejected: Rejected | None = None,
        types: Types | None = None,
    ) -> None:
        """`keys` counts rows that share a primary key; with `rejected`, bad records do not fail the run; `types` learns
        the types of mapped columns, if they are wanted."""
        self.tables, self.flattened = tables, flattened
        self.is_incremental = False
        self.upserts: dict[str, Upsert] = {}
        """By data type, of jobs that set a primary key or how rows are loaded."""
        self._mapped = Mapped(tables, mappings, keys, rejected, types)
        self._keys, self._rejected = keys, rejected
        self._row_keys: RowKeys | None = None
        is_current = isinstance(flattened, Flattened)
        self._bad_rows = BadRowFilter(flattened.tree, rejected) if is_current and rejected else None

    def count_keys(self, folder: Path) -> None:
        """Counts rows that share the primary key of their job; the legacy parser does not support it."""
        if isinstance(self.flattened, Flattened):
            self.flattened.keys = self._row_keys = RowKeys(folder, self.upserts)

    @property
    def is_mapped(self) -> bool:
        return bool(self._mapped)

    def add(self, batch: Batch) -> int:
        """Returns how many of its records were rejected."""
        return self._mapped.add(batch) if batch.data_type in self._mapped else self._flatten(batch)

    @property
    def written(self) -> int:
        """Returns how many records were written to tables, counted by the writers."""
        return self._mapped.written + self.flattened.written

    def items(self, data_type: str, records: Sequence[Any]) -> int:
        """Returns how many records a page has: a lone null is not a record, unless it is mapped."""
        is_nothing = records == [None] and data_type not in self._mapped
        return 0 if is_nothing else len(records)

    def flattens(self, data_type: str) -> bool:
        """Returns whether records of this type are flattened by the current parser."""
        return data_type not in self._mapped and isinstance(self.flattened, Flattened)

    def finish(self) -> None:
        """Call it after the last record: writes the tables and manifests."""
        self.flattened.write(self.tables)
        self.tables.finish(is_incremental=self.is_incremental, upserts=self.upserts)
        if self._rejected is not None:
            self._rejected.close()

    def add_missing(self, mappings: Mapping[str, TableMapping], *, is_incremental: bool) -> None:
        """Creates the mapped tables that got no record."""
        for data_type, mapping in mappings.items():
            for table in missing_tables(data_type, mapping):
                self.tables.add_missing(table, is_incremental=is_incremental, upserts=self.upserts)

    def duplicates(self) -> dict[str, int]:
        """Returns how many rows of each table with a primary key have the key of an earlier one.

        A table that also has rows whose keys are unknown, because another job wrote them, is left out.
        """
        rows, counts = self.tables.rows, dict[str, int]()
        for keys in filter(None, (self._keys, self._row_keys)):
            row_counts = keys.rows()
            counts |= {name: number for name, number in keys.duplicates().items() if row_counts[name] == rows[name]}
        return counts

    def _flatten(self, batch: Batch) -> int:
        accepted = self._bad_rows.filter(batch) if self._bad_rows else batch
        self.flattened.add(accepted)
        return len(batch.records) - len(accepted.records)
