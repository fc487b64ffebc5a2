"""From pages to tables: every page is learnt and drafted as it comes, and the tables are made when all are in.

The columns of a table are known only after the last page. Still most pages bring nothing new, so rows are drafted at
once under the layout known so far. A page that changes a layout throws the drafts away; the pages before it are read
again from the spool at the end. This halves the work of the usual run and changes no byte of its result.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from penstock.extractor.decode import decode
from penstock.extractor.http import Page
from penstock.extractor.json_text import json_text
from penstock.extractor.log import Log
from penstock.extractor.records.find import find_records
from penstock.extractor.records.flatten import Flattener
from penstock.extractor.records.tree import Tree
from penstock.extractor.spool import Source, Spool
from penstock.extractor.tables import Drafts, Tables

SHOWN = 200
"""How much of a value a log line shows."""


class Results:
    def __init__(self, folder: Path, tree: Tree, log: Log) -> None:
        self._tree, self._log = tree, log
        self._spool, self._drafts = Spool(folder / "pages"), Drafts(folder / "drafts")
        self._flattener = Flattener(tree, self._drafts.write)
        self._undrafted = 0
        self._drafted_rows = 0
        self.rows = 0

    def add(self, source: Source, page: Page) -> None:
        if not page.records or page.records == [None]:
            self._log.debug(f"No data returned in '{source.data_type}'")
            return
        self._learn(source, page)
        self._spool.append(source, page.body)
        if not self._flattener.is_renaming:
            self._flattener.write(source.data_type, page.records)
            self._drafted_rows += len(page.records)
        self.rows += len(page.records)

    def write(self, tables: Tables) -> None:
        """Raises if any row that came in did not go out."""
        flattener = Flattener(self._tree, tables.write)
        if flattener.is_renaming:
            written = self._rewrite(len(self._spool), flattener.write_in_turn)
        else:
            written = self._rewrite(self._undrafted, flattener.write) + self._drafted_rows
            self._drafts.move_to(tables)
        self._spool.close()
        if written != self.rows:
            raise RuntimeError(f"{self.rows} records were received, but {written} written")

    def _learn(self, source: Source, page: Page) -> None:
        known = self._tree.version
        self._tree.learn(source.data_type, page.records, self._tell)
        if self._tree.version != known:
            self._drafts.discard()
            self._flattener = Flattener(self._tree, self._drafts.write)
            self._undrafted, self._drafted_rows = len(self._spool), 0

    def _tell(self, message: str, item: Any) -> None:
        self._log.warning(message, item=json_text(item)[:SHOWN])

    def _rewrite(self, count: int, write: Callable[[str, list[Any]], None]) -> int:
        rows = 0
        for source, body in self._spool.first(count):
            found = find_records(decode(body).document, source.field, source.endpoint)
            write(source.data_type, found.records)
            rows += len(found.records)
        return rows
