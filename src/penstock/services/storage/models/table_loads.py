"""Loads of the files that a component wrote into tables."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from penstock.services.storage.models.definitions import NewColumn
from penstock.services.storage.models.metadata import MetadataItem


class DeletionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """One condition; it matches any of the values, which are given or read from a column of another table."""

    column: str
    operator: str = "eq"
    values: tuple[str, ...] = ()
    from_table: str = ""
    from_branch_id: int | None = None
    """The branch of that table; by default the branch of the load."""
    from_column: str = ""


class Deletion(msgspec.Struct, frozen=True, kw_only=True):
    """Rows to delete before new ones are loaded: those that match all conditions."""

    changed_since: str = ""
    changed_until: str = ""
    filters: tuple[DeletionFilter, ...] = ()


class LoadNotes(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata that is stored with the table: provided by the component, and about it."""

    provider: str = ""
    """The component, which provides everything but the last field."""
    metadata: tuple[MetadataItem, ...] = ()
    columns: dict[str, tuple[MetadataItem, ...]] = {}
    maker: dict[str, str] = {}
    """The origin of the load, such as `component.id`: stored as `KBC.createdBy.…` and `KBC.lastUpdatedBy.…`."""


class TableLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A CSV file, or a folder of slices, and its target table. Loading the same id twice has no further effect."""

    id: str
    table_id: str
    file: Path
    incremental: bool = False
    primary_key: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """The names of its columns; required if it has no header."""
    has_header: bool = True
    delimiter: str = ","
    enclosure: str = '"'
    definitions: tuple[NewColumn, ...] = ()
    """The types of columns, for a table that this load creates."""
    null_values: tuple[str, ...] = ("",)
    deduplication: Literal["upsert", "insert"] = "upsert"
    deletions: tuple[Deletion, ...] = ()
    notes: LoadNotes = LoadNotes()
