"""What a component wrote, and what is to become of the table it goes into."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from penstock.services.storage.models.definitions import NewColumn
from penstock.services.storage.models.metadata import MetadataItem


class DeletionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """One condition; the values are alternatives, given or read from a column of another table."""

    column: str
    operator: str = "eq"
    values: tuple[str, ...] = ()
    from_table: str = ""
    from_branch_id: int | None = None
    """Where that table is; in the branch of the load if nothing is said."""
    from_column: str = ""


class Deletion(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that go before new ones come: those for which everything holds that is said here."""

    changed_since: str = ""
    changed_until: str = ""
    filters: tuple[DeletionFilter, ...] = ()


class LoadNotes(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept beside the table: by the component, and about it."""

    provider: str = ""
    """The component, which says all but the last."""
    metadata: tuple[MetadataItem, ...] = ()
    columns: dict[str, tuple[MetadataItem, ...]] = {}
    maker: dict[str, str] = {}
    """Whose load it is, such as `component.id`: kept as `KBC.createdBy.…` and `KBC.lastUpdatedBy.…`."""


class TableLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A CSV file, or a folder of slices, and the table it goes into. Two loads with one id are one load."""

    id: str
    table_id: str
    file: Path
    incremental: bool = False
    primary_key: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """What its fields are; needed where it has no header."""
    has_header: bool = True
    delimiter: str = ","
    enclosure: str = '"'
    definitions: tuple[NewColumn, ...] = ()
    """The types of columns, for a table that is made by this load."""
    null_values: tuple[str, ...] = ("",)
    deduplication: Literal["upsert", "insert"] = "upsert"
    deletions: tuple[Deletion, ...] = ()
    notes: LoadNotes = LoadNotes()
