"""Writes records with a mapping: a page is written only if all of it can be mapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.columns import Column
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.mapping import Mapper
from penstock.extractor.records.types import Types
from penstock.extractor.records.writing import PLAIN, TYPED
from penstock.extractor.results.proof.duplicates import Keys
from penstock.extractor.results.proof.rejected import Rejected, refusals
from penstock.extractor.results.spool import Batch
from penstock.extractor.results.tables import Tables


class Mapped:
    """Writes the pages of every data type that has a mapping."""

    def __init__(
        self,
        tables: Tables,
        mappings: Mapping[str, Any],
        keys: Keys | None = None,
        rejected: Rejected | None = None,
        types: Types | None = None,
    ) -> None:
        """`keys` gets the primary keys of all rows, `rejected` the records that cannot be mapped; without it, such a
        record fails the run. `types` learns the types of columns, if they are wanted."""
        self._tables, self._keys, self._rejected, self._types = tables, keys, rejected, types
        self.written = 0
        writing = PLAIN if types is None else TYPED
        self._mappers = {data_type: Mapper(data_type, mapping, writing) for data_type, mapping in mappings.items()}

    def __len__(self) -> int:
        return len(self._mappers)

    def __contains__(self, data_type: str) -> bool:
        return data_type in self._mappers

    def add(self, batch: Batch) -> int:
        """Returns how many of its records were rejected."""
        mapper, records = self._mappers[batch.data_type], list(batch.records)
        refused: dict[int, str] = {}
        try:
            rows = _map(mapper, records, batch.extra)
        except UserError:
            refused = self._refuse(mapper, batch)
            accepted = [record for index, record in enumerate(records) if index not in refused]
            rows = _map(mapper, accepted, batch.extra)  # fails again if the cause is not a record
        self._write(rows)
        self.written += len(records) - len(refused)
        return len(refused)

    def _refuse(self, mapper: Mapper, batch: Batch) -> dict[int, str]:
        """Rejects bad records, and returns them with the reasons; none if bad records fail the run, or if the records
        are not the cause, which shows when even a null cannot be mapped."""
        if self._rejected is None or _reason(mapper, [None], batch.extra):
            return {}
        refused = refusals(list(batch.records), lambda part: _reason(mapper, part, batch.extra))
        for index, reason in sorted(refused.items()):
            self._rejected.add(batch.data_type, batch.records[index], reason)
        return refused

    def _write(self, rows: _Rows) -> None:
        for table, lines, count in rows.lines:
            self._tables.write(table, lines, count)
        if self._keys is not None:
            for name, columns in rows.keys:
                self._keys.add(name, columns)
        if self._types is not None:
            for table, sources in rows.sources:
                self._types.learn(table, sources)


class _Rows(msgspec.Struct, frozen=True):
    """A mapped page, in the order in which it is written."""

    lines: list[tuple[Layout, bytes, int]] = msgspec.field(default_factory=list[tuple[Layout, bytes, int]])
    keys: list[tuple[str, Sequence[Sequence[str]]]] = msgspec.field(
        default_factory=list[tuple[str, Sequence[Sequence[str]]]]
    )

    sources: list[tuple[Layout, Sequence[Column | None]]] = msgspec.field(
        default_factory=list[tuple[Layout, Sequence[Column | None]]]
    )
    """The values of the columns, from which types are learnt."""

    def emit(self, table: Layout, lines: bytes, count: int) -> None:
        self.lines.append((table, lines, count))

    def take_keys(self, table: str, columns: Sequence[Sequence[str]]) -> None:
        self.keys.append((table, columns))

    def take_values(self, table: Layout, columns: Sequence[Column | None]) -> None:
        self.sources.append((table, columns))


def _map(mapper: Mapper, records: Sequence[Any], extra: Mapping[str, Any]) -> _Rows:
    rows = _Rows()
    mapper.write(list(records), extra, rows.emit, rows.take_keys, rows.take_values)
    return rows


def _reason(mapper: Mapper, records: Sequence[Any], extra: Mapping[str, Any]) -> str:
    """Returns why they cannot be mapped; empty if they can."""
    try:
        _map(mapper, records, extra)
    except UserError as error:
        return str(error)
    return ""
