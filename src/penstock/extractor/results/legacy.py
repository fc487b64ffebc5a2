"""Records for the legacy parser: all pages are learnt first and read again from the spool when all are in."""

from __future__ import annotations

from penstock.extractor.records.legacy import Legacy
from penstock.extractor.results.spool import Batch, Spool
from penstock.extractor.results.tables import Tables


class LegacyFlattened:
    def __init__(self, spool: Spool, legacy: Legacy) -> None:
        self.legacy, self._spool = legacy, spool
        self.written = 0

    def add(self, batch: Batch) -> None:
        if self.legacy.learn(batch.data_type, list(batch.records)):
            self._spool.append(batch)

    def write(self, tables: Tables) -> None:
        for batch in self._spool.first(len(self._spool)):
            self.legacy.write(batch.data_type, list(batch.records), batch.extra, tables.write)
            self.written += 0 if batch.is_nothing else len(batch.records)
