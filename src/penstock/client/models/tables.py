"""Tables and their rows."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.client.html import facts_html, table_html
from penstock.foundation.structs import Wire


class ColumnType(Wire, frozen=True):
    """As Storage returns it, such as NUMBER with the length 38,0."""

    type: str = ""
    length: str | None = None
    nullable: bool = True


class Column(Wire, frozen=True):
    name: str
    definition: ColumnType | list[Any] | None = None
    basetype: str | None = None


class Definition(Wire, frozen=True):
    columns: list[Column] = []


class Table(Wire, frozen=True):
    id: str
    name: str
    rows_count: int | None = None
    data_size_bytes: int | None = None
    primary_key: list[str] = []
    columns: list[str] = []
    is_typed: bool = False
    is_alias: bool = False
    created: str | None = None
    last_import_date: str | None = None
    definition: Definition | None = None

    @property
    def types(self) -> dict[str, str]:
        """The base type of each column in order, such as INTEGER; all are STRING unless the table is typed."""
        defined = {column.name: column.basetype for column in self.definition.columns} if self.definition else {}
        return {name: defined.get(name) or "STRING" for name in self.columns}

    def _repr_html_(self) -> str:
        """Notebooks show this."""
        facts: dict[str, object] = {
            "Rows": self.rows_count,
            "Bytes": self.data_size_bytes,
            "Primary key": ", ".join(self.primary_key),
            "Last load": self.last_import_date,
        }
        return facts_html(self.id, facts) + table_html(("Column", "Type"), self.types.items())


class Cell(Wire, frozen=True):
    value: str | None
    is_truncated: bool = False


class Preview(Wire, frozen=True):
    """The first rows of a table. Very long values are truncated, which is indicated."""

    columns: list[str]
    cells: list[list[Cell]] = msgspec.field(name="rows")

    @property
    def rows(self) -> list[list[str]]:
        return [[cell.value or "" for cell in row] for row in self.cells]

    @property
    def is_truncated(self) -> bool:
        return any(cell.is_truncated for row in self.cells for cell in row)
