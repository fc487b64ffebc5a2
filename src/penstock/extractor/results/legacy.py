"""Flattens records with the legacy parser: all pages are learnt first, and read again from the spool at the end."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.log import Log
from penstock.extractor.records.conflict import TypeConflict
from penstock.extractor.records.legacy import VERSION, Legacy
from penstock.extractor.results.conflicts import advised, located
from penstock.extractor.results.spool import Batch, Spool
from penstock.extractor.results.tables import Tables


class LegacyFlattened:
    version = VERSION

    def __init__(self, spool: Spool, legacy: Legacy, log: Log) -> None:
        self._legacy, self._spool, self._log = legacy, spool, log
        self.written = 0

    def add(self, batch: Batch) -> None:
        try:
            has_rows = self._legacy.learn(batch.data_type, list(batch.records))
        except TypeConflict as error:
            raise located(error, batch, self._log.redactor, can_reject=False) from error
        if has_rows:
            self._spool.append(batch)

    def struct(self) -> dict[str, Any] | list[Any]:
        """Returns the struct for the state."""
        return self._legacy.struct()

    def write(self, tables: Tables) -> None:
        for batch in self._spool.first(len(self._spool)):
            try:
                self._legacy.write(batch.data_type, list(batch.records), batch.extra, tables.write)
            except TypeConflict as error:
                raise advised(error, can_reject=False) from error
            self.written += 0 if batch.is_nothing else len(batch.records)
            self._log.writing(self.written)
