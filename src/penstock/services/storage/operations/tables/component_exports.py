"""Tables as input of components: their details, and their rows as a file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from penstock.foundation.callers import Caller
from penstock.foundation.errors import Forbidden, NotFound
from penstock.foundation.lake import export_file
from penstock.foundation.stack import Stack
from penstock.services.storage.models.metadata import MetadataRow
from penstock.services.storage.models.queries import RowsQuery
from penstock.services.storage.models.tables import Table
from penstock.services.storage.operations import buckets, metadata
from penstock.services.storage.operations.tables import tables
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.operations.tables.views import Viewer, detail_view


def get_table(stack: Stack, caller: Caller, table_id: str, storage_url: str) -> tuple[Table, datetime | None]:
    """Return the table, with the time of the last import in full precision."""
    with stack.database.reading() as tx:
        located = tables.get_table(tx, caller, table_id)
        return detail_view(tx, Viewer(caller, storage_url), located.row), located.row.imported


def export_table(stack: Stack, caller: Caller, table_id: str, asked: RowsQuery, target: Path) -> int:
    """Write rows as CSV; NULL of a typed table is an empty field without quotes."""
    with stack.database.reading() as tx:
        located = tables.get_table(tx, caller, table_id)
    with detecting_loss(stack, located.place, located.row.id):
        query, has_nulls = read_query(located.row, asked), located.row.types is not None
        return export_file(stack.lake, located.place, query, target, has_nulls=has_nulls)


def find_bucket_metadata(stack: Stack, caller: Caller, bucket_id: str) -> list[MetadataRow] | None:
    with stack.database.reading() as tx:
        try:
            bucket = buckets.get_bucket(tx, caller, bucket_id)
        except (NotFound, Forbidden):
            return None
        return metadata.list_metadata(tx, buckets.owner_of(bucket))
