"""Counts rows of flattened tables that share the `primaryKey` of their job, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from penstock.extractor.records.layout import Layout
from penstock.extractor.records.upserts import Upserts, key_places
from penstock.extractor.results.proof.duplicates import Keys


class RowKeys(Keys):
    def __init__(self, folder: Path, upserts: Upserts) -> None:
        """`upserts` may get more items before the rows of their tables are added."""
        super().__init__(folder)
        self._upserts = upserts
        self._places: dict[str, list[int]] = {}

    def add_rows(self, layout: Layout, columns: Sequence[Sequence[str]]) -> None:
        """`columns` are the rendered cells of a table in the order of its header."""
        if layout.name not in self._places:
            self._places[layout.name] = key_places(layout, self._upserts)
        if places := self._places[layout.name]:
            self.add(layout.name, [columns[place] for place in places])

    def discard(self) -> None:
        """Call it when a layout has changed: the rows are added again."""
        super().discard()
        self._places.clear()
