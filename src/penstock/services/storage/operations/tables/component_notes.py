"""Metadata of a table that a component wrote: provided by the component, and about its origin."""

from __future__ import annotations

from itertools import chain

from penstock.contracts.tables import LoadNotes
from penstock.foundation.database import Transaction
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.metadata import COLUMN, MetadataItem, Owner
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import to_column_name
from penstock.services.storage.operations import buckets, metadata
from penstock.services.storage.operations.tables.definitions import put_type_metadata
from penstock.services.storage.operations.tables.tables import owner_of

SYSTEM = "system"


def check_notes(notes: LoadNotes) -> None:
    """Raise the errors that storing them would raise."""
    metadata.check_items(chain(notes.metadata, *notes.columns.values()))
    for column in notes.columns:
        to_column_name(column)


def note_bucket(tx: Transaction, bucket: BucketRow, notes: LoadNotes) -> None:
    """Add the metadata of a bucket that was created for a load."""
    if notes.maker:
        metadata.put_metadata(tx, buckets.owner_of(bucket), SYSTEM, _about(notes, "createdBy"))


def note_table(tx: Transaction, row: TableRow, notes: LoadNotes, existing: TableRow | None) -> None:
    """`existing` is the table before the load, if it existed."""
    is_new = existing is None
    if is_new:
        _note_new(tx, row)
    elif row.types != existing.types:
        put_type_metadata(tx, row)
    if notes.maker:
        items = [*(_about(notes, "createdBy") if is_new else ()), *_about(notes, "lastUpdatedBy")]
        metadata.put_metadata(tx, owner_of(row), SYSTEM, items)
    if notes.metadata:
        metadata.put_metadata(tx, owner_of(row), notes.provider, notes.metadata)
    columns_known = set(row.columns)
    named = [(to_column_name(name), items) for name, items in notes.columns.items() if items]
    if columns := [(_column_of(row, column), items) for column, items in named if column in columns_known]:
        metadata.put_column_metadata(tx, notes.provider, columns)


def _note_new(tx: Transaction, row: TableRow) -> None:
    """Add Storage's own metadata of a new typed table."""
    put_type_metadata(tx, row)
    if row.types is not None:
        metadata.put_own_metadata(tx, owner_of(row), [MetadataItem("KBC.dataTypesEnabled", "true")])


def _about(notes: LoadNotes, what: str) -> list[MetadataItem]:
    return [MetadataItem(f"KBC.{what}.{name}", value) for name, value in notes.maker.items()]


def _column_of(row: TableRow, column: str) -> Owner:
    return Owner(row.project_id, row.branch_id, COLUMN, f"{row.id}.{column}")
