"""The records of one bucket on their way to tables: mapped as the user says, or flattened as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.extractor.records.flatten import Layout
from penstock.extractor.records.mapping import MappedTable, Mapper, TableMapping, missing_tables
from penstock.extractor.results.flattened import Flattened
from penstock.extractor.results.legacy import LegacyFlattened
from penstock.extractor.results.spool import Batch, Source
from penstock.extractor.results.tables import Tables

__all__ = ["Batch", "Bucket", "Flattened", "LegacyFlattened", "Source"]


class Bucket:
    """What the iterations that write into one bucket share."""

    def __init__(self, tables: Tables, flattened: Flattened | LegacyFlattened, mappings: Mapping[str, Any]) -> None:
        self.tables, self.flattened = tables, flattened
        self.is_incremental = False
        self._mappers = {data_type: Mapper(data_type, mapping) for data_type, mapping in mappings.items()}

    @property
    def is_mapped(self) -> bool:
        return bool(self._mappers)

    def add(self, batch: Batch) -> None:
        if batch.data_type in self._mappers:
            self._mappers[batch.data_type].write(list(batch.records), batch.extra, self._write_mapped)
        else:
            self.flattened.add(batch)

    def flattens(self, data_type: str) -> bool:
        """Whether records of this type become tables as they are, by the current rules."""
        return data_type not in self._mappers and isinstance(self.flattened, Flattened)

    def finish(self) -> None:
        """All records are in: write what had to wait for the last of them."""
        self.flattened.write(self.tables)
        self.tables.finish(is_incremental=self.is_incremental)

    def add_missing(self, mappings: Mapping[str, TableMapping], *, is_incremental: bool) -> None:
        """Tables that are mapped but got no record."""
        for data_type, mapping in mappings.items():
            for table in missing_tables(data_type, mapping):
                self.tables.add_missing(_layout(table), is_incremental=is_incremental)

    def _write_mapped(self, table: MappedTable, lines: str, count: int) -> None:
        self.tables.write(_layout(table), lines, count)


def _layout(table: MappedTable) -> Layout:
    return Layout(table.name, table.name, table.header, table.primary_key)
