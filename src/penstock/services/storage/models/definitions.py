"""Tables and columns as clients define them."""

from __future__ import annotations

from typing import Any

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
