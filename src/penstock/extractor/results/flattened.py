"""Flattens records without a mapping: pages are learnt and drafted when they arrive, and tables written at the end.

The columns of a table are known only after the last page. But most pages have no new columns, so rows are drafted
immediately with the current layout. A page that changes a layout discards the drafts; the pages before it are read
again from the spool at the end. This halves the work of most runs, and the result is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.log import Log
from penstock.extractor.records.columns import Column
from penstock.extractor.records.conflict import TypeConflict
from penstock.extractor.records.extras import Extras
from penstock.extractor.records.flatten import Flattener
from penstock.extractor.records.layout import Emit, Layout
from penstock.extractor.records.naming import Naming
from penstock.extractor.records.struct import VERSION, write_struct
from penstock.extractor.records.tree import Tree
from penstock.extractor.records.types import Types
from penstock.extractor.results.conflicts import located
from penstock.extractor.results.drafts import Drafts
from penstock.extractor.results.proof.duplicates import RowKeys
from penstock.extractor.results.spool import Batch, Spool
from penstock.extractor.results.tables import Tables

SHOWN = 200
"""How much of a value a log line shows."""


class Flattened:
    version = VERSION
    """Of the struct in the state."""

    def __init__(
        self,
        folder: Path,
        spool: Spool,
        tree: Tree,
        log: Log,
        reserved: Collection[str] = (),
        types: Types | None = None,
    ) -> None:
        """`reserved` are the names of mapped tables; `types` learns the types of columns, if they are wanted."""
        self.tree, self._log, self._naming = tree, log, Naming(tree, reserved)
        self._spool, self._drafts = spool, Drafts(folder / "drafts")
        self.keys: RowKeys | None = None
        """Gets the keys of all rows that are written."""
        self._types = types
        self._extras = Extras()
        self._flattener = self._new_flattener(self._extras, self._drafts.write)
        self._undrafted = self._drafted_rows = self._rows = self.written = 0

    def add(self, batch: Batch) -> None:
        if batch.is_nothing:
            self._log.debug(f"No data returned in '{batch.data_type}'")
            return
        rows = batch.column
        self._learn(batch, rows)
        self._spool.append(batch)
        if self._flattener.is_final:
            self._flattener.write(batch.data_type, rows, batch.extra)
            self._drafted_rows += len(batch.records)
        self._rows += len(batch.records)

    def struct(self) -> dict[str, Any]:
        """Returns the struct for the state."""
        return write_struct(self.tree, self._naming)

    def write(self, tables: Tables) -> None:
        """Raises RuntimeError if the number of rows differs from that of the records."""
        if self._flattener.is_final:
            flattener = self._new_flattener(self._extras, tables.write)
            written = self._rewrite(self._undrafted, flattener) + self._drafted_rows
            self._drafts.move_to(tables)
        else:
            written = self._rewrite(len(self._spool), self._new_flattener(self._rehearse(), tables.write))
        if written != self._rows:
            raise RuntimeError(f"{self._rows} records were received, but {written} written")
        self.written = written

    def _learn(self, batch: Batch, rows: Column) -> None:
        version = self.tree.version
        try:
            self.tree.learn(batch.data_type, rows, self._warn)
        except TypeConflict as error:
            raise located(error, batch, self._log.redactor, can_reject=True) from error
        is_wider = self._extras.learn(batch.data_type, batch.extra)
        if self.tree.version != version or is_wider:
            self._drafts.discard()
            if self.keys:
                self.keys.discard()
            if self._types:
                self._types.discard()
            self._flattener = self._new_flattener(self._extras, self._drafts.write)
            self._undrafted, self._drafted_rows = len(self._spool), 0

    def _new_flattener(self, extras: Extras, emit: Emit) -> Flattener:
        return Flattener(self.tree, extras, emit, self._naming, self._take_rows, self._types)

    def _take_rows(self, layout: Layout, columns: Sequence[Sequence[str]]) -> None:
        if self.keys:
            self.keys.add_rows(layout, columns)

    def _warn(self, message: str, item: Any) -> None:
        self._log.warning(message, item=self._log.redactor.clean_start(json_text(item).encode(), SHOWN))

    def _rehearse(self) -> Extras:
        """Returns the final names of the extra columns; if links are renamed, these depend on all rows."""
        names = Extras()
        rehearsal = Flattener(self.tree, names, lambda _layout, _lines, _count: None, self._naming)
        if rehearsal.is_in_turn:
            self._rewrite(len(self._spool), rehearsal)
            return names
        for data_type, extra in self._spool.extras():
            rehearsal.write(data_type, Column([]), extra)
        return names

    def _rewrite(self, count: int, flattener: Flattener) -> int:
        rows = 0
        for batch in self._spool.first(count):
            flattener.write(batch.data_type, batch.column, batch.extra)
            rows += len(batch.records)
            self._log.writing(rows)
        return rows
