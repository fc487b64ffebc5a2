"""Tables and columns as clients define them."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET

from penstock.foundation.limits import Columns
from penstock.foundation.structs import Wire
from penstock.services.storage.models.column_types import GivenType


class NewColumn(Wire, frozen=True):
    name: str = ""
    """Name of the column: letters, digits and `_`, at most 64 characters, unique regardless of case."""
    definition: GivenType | None = None
    """Type of the column in the terms of the engine. It takes precedence over `basetype`."""
    basetype: str | None = None
    """General type of the column: `STRING`, `INTEGER`, `NUMERIC`, `FLOAT`, `BOOLEAN`, `DATE` or `TIMESTAMP`."""


class NewTable(Wire, frozen=True):
    """A table without rows. If no column has a type, all hold text."""

    name: str = ""
    """Name of the table: letters, digits, `-` and `_`, at most 96 characters, the first not `_`."""
    display_name: str = ""
    """Name that people see, unique in the bucket. Without it, it is the name."""
    primary_keys_names: Columns[str] = []
    """Names of the columns of the primary key."""
    columns: Columns[NewColumn] = []
    """The columns, in their order. If none has a type, all hold text."""


class NewKey(Wire, frozen=True):
    columns: Columns[str] = []
    """Names of the columns of the primary key. Their values have to be unique together."""


class NewAlias(Wire, frozen=True):
    source_table: str = ""
    """Id of the table that the alias shows. It must not be an alias itself."""
    name: str = ""
    """Name of the alias in its bucket. Without it, that of the source table."""
    alias_columns: Columns[str] = []
    """Columns that the alias shows. Without them it shows all, also those that are added later."""
    alias_filter: dict[str, Any] | None = None
    """Which rows the alias shows: an object with `column`, `operator` and `values`. Without it, all."""


class TableSwap(Wire, frozen=True):
    target_table_id: str = ""
    """Id of the table to swap with."""


class ColumnChange(Wire, frozen=True):
    """What changes in the definition of a column; what is not set stays. An empty text means that it is not set."""

    keeps_null: ClassVar[tuple[str, ...]] = ("default",)

    length: str | int | None = None
    """New length, such as `255` or `38,2`. A length can only grow."""
    nullable: bool | None = None
    """Whether the column may be NULL."""
    default: Any = UNSET
    """New default. Null removes it."""

    @property
    def is_empty(self) -> bool:
        return self.length in (None, "") and self.nullable is None and self.default in (UNSET, "")


class NamedColumnChange(ColumnChange, frozen=True):
    """What changes in the definition of one of several columns; what is not set stays."""

    name: str = ""
    """Name of the column to change."""
    description: str | None = None
    """New description of the column, stored as its metadata `KBC.description`."""


class DefinitionChange(Wire, frozen=True):
    """What changes in a table and its columns."""

    display_name: str | None = None
    """New name of the table that people see."""
    description: str | None = None
    """New description of the table, stored as its metadata `KBC.description`."""
    columns: Columns[NamedColumnChange] = []
    """The columns to change."""
