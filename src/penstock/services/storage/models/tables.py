"""Tables as they are kept, loaded and shown."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.services.storage.models import Wire, to_text
from penstock.services.storage.models.buckets import Bucket

PREVIEW_ROWS = 1000


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    project_id: int
    branch_id: int
    bucket_id: str
    name: str
    display_name: str
    columns: list[str]
    primary_key: list[str]
    rows_count: int
    data_size_bytes: int
    created: datetime
    imported: datetime

    @property
    def id(self) -> str:
        return f"{self.bucket_id}.{self.name}"


class TableLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A CSV file with a header, and the table it goes into. Two loads with one id are one load."""

    id: str
    table_id: str
    file: Path
    incremental: bool = False
    primary_key: tuple[str, ...] = ()


class TableDefinition(Wire, frozen=True):
    primary_keys_names: list[str]
    columns: list[dict[str, Any]]


class Table(Wire, frozen=True):
    uri: str
    id: str
    name: str
    display_name: str
    primary_key: list[str]
    created: str
    last_import_date: str
    last_change_date: str
    rows_count: int
    data_size_bytes: int
    path: str
    transactional: bool = False
    is_alias: bool = False
    is_aliasable: bool = True
    is_typed: bool = False
    table_type: str = "table"
    timestamp_type: str = "MANAGED"
    attributes: list[Any] = []
    columns: list[str] | UnsetType = UNSET
    metadata: list[Any] | UnsetType = UNSET
    column_metadata: dict[str, Any] | UnsetType = UNSET
    bucket: Bucket | UnsetType = UNSET
    definition: TableDefinition | UnsetType = UNSET


class PreviewQuery(Wire, frozen=True):
    """0 means the default: one client always sends it."""

    limit: Annotated[int, msgspec.Meta(ge=0)] = 0
    columns: str | list[str] = ""
    format: str = "rfc"


class Cell(Wire, frozen=True):
    column_name: str
    value: str
    is_truncated: bool


class Preview(Wire, frozen=True):
    columns: list[str]
    rows: list[list[Cell]]


def show_table(row: TableRow, storage_url: str, bucket: Bucket | None, include: frozenset[str]) -> Table:
    changed = to_text(row.imported)
    return Table(
        uri=f"{storage_url}/v2/storage/tables/{row.id}",
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        primary_key=row.primary_key,
        created=to_text(row.created),
        last_import_date=changed,
        last_change_date=changed,
        rows_count=row.rows_count,
        data_size_bytes=row.data_size_bytes,
        path=row.name,
        columns=row.columns if "columns" in include else UNSET,
        metadata=[] if "metadata" in include else UNSET,
        column_metadata={} if "columnMetadata" in include else UNSET,
        bucket=bucket if bucket and "buckets" in include else UNSET,
        definition=_definition(row) if "definition" in include else UNSET,
    )


def _definition(row: TableRow) -> TableDefinition:
    columns = [{"name": name, "canBeFiltered": True} for name in row.columns]
    return TableDefinition(primary_keys_names=row.primary_key, columns=columns)
