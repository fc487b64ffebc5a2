"""Buckets as they are kept and shown."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.services.storage.models import Wire, to_text


class BucketRow(msgspec.Struct, frozen=True, kw_only=True):
    """A bucket as it is kept. `number` names its folder in the lake: names never become paths."""

    project_id: int
    branch_id: int
    id: str
    number: int
    stage: str
    name: str
    display_name: str
    description: str
    created: datetime
    changed: datetime | None = None
    rows_count: int = 0
    data_size_bytes: int = 0


class Bucket(Wire, frozen=True):
    uri: str
    id: str
    name: str
    display_name: str
    stage: str
    description: str
    created: str
    updated: str
    last_change_date: str | None
    rows_count: int
    data_size_bytes: int
    id_branch: int
    path: str
    backend_path: list[str]
    tables: Any
    backend: str = "snowflake"
    is_read_only: bool = False
    is_maintenance: bool = False
    is_linked_bucket: bool = False
    has_external_schema: bool = False
    is_snowflake_shared_database: bool = False
    database_name: str | None = None
    sharing: str | None = None
    sharing_parameters: list[Any] = []
    bucket_sharing_allowed: bool = False
    owner: str | None = None
    color: str | None = None
    attributes: list[Any] = []
    metadata: list[Any] | UnsetType = UNSET


def show_bucket(row: BucketRow, storage_url: str, tables: Any = UNSET, metadata: bool = True) -> Bucket:
    """`tables` is the list of a detail; without it the address of that list is shown."""
    uri = f"{storage_url}/v2/storage/buckets/{row.id}"
    return Bucket(
        uri=uri,
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        stage=row.stage,
        description=row.description,
        created=to_text(row.created),
        updated=to_text(row.changed or row.created),
        last_change_date=to_text(row.changed) if row.changed else None,
        rows_count=row.rows_count,
        data_size_bytes=row.data_size_bytes,
        id_branch=row.branch_id,
        path=row.id,
        backend_path=[f"KBC_{row.project_id}", row.id],
        tables=f"{uri}/tables" if tables is UNSET else tables,
        metadata=[] if metadata else UNSET,
    )
