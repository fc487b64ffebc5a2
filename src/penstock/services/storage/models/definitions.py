"""Tables and columns as clients define them."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET

from penstock.foundation.limits import Columns
from penstock.services.storage.models import Wire
from penstock.services.storage.models.column_types import GivenType


class NewColumn(Wire, frozen=True):
    name: str = ""
    definition: GivenType | None = None
    basetype: str | None = None


class NewTable(Wire, frozen=True):
    """A table without rows. If no column has a type, all hold text."""

    name: str = ""
    display_name: str = ""
    primary_keys_names: Columns[str] = []
    columns: Columns[NewColumn] = []


class NewKey(Wire, frozen=True):
    columns: Columns[str] = []


class NewAlias(Wire, frozen=True):
    source_table: str = ""
    name: str = ""
    alias_columns: Columns[str] = []
    alias_filter: dict[str, Any] | None = None


class TableSwap(Wire, frozen=True):
    target_table_id: str = ""


class ColumnChange(Wire, frozen=True):
    """What changes in the definition of a column; what is not set stays. An empty text means that it is not set."""

    keeps_null: ClassVar[tuple[str, ...]] = ("default",)

    length: str | int | None = None
    nullable: bool | None = None
    default: Any = UNSET
    """None removes it."""

    @property
    def is_empty(self) -> bool:
        return self.length in (None, "") and self.nullable is None and self.default in (UNSET, "")


class NamedColumnChange(ColumnChange, frozen=True):
    """The same, for one of several columns."""

    name: str = ""
    description: str | None = None


class DefinitionChange(Wire, frozen=True):
    """What changes in a table and its columns."""

    display_name: str | None = None
    description: str | None = None
    columns: Columns[NamedColumnChange] = []
