"""Metadata of buckets, tables and columns over HTTP; that of configurations and branches is in their own modules."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation.callers import Right
from penstock.services.storage.models.metadata import (
    Metadata,
    MetadataRow,
    NewMetadata,
    NewTableMetadata,
    TableMetadata,
    metadata_view,
)
from penstock.services.storage.operations import metadata
from penstock.services.storage.operations.metadata_owners import (
    check_table_metadata,
    find_bucket_owner,
    find_column_owner,
    find_table_owner,
    list_columns_metadata,
    put_table_metadata,
)
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

FORM = "application/x-www-form-urlencoded"


def routes() -> list[Route]:
    bucket = "/v2/storage/buckets/{bucket_id}/metadata"
    table = "/v2/storage/tables/{table_id}/metadata"
    column = "/v2/storage/columns/{column_id}/metadata"
    return [
        get(bucket, list_bucket_metadata, needs=Right.TOKEN, title="List metadata of a bucket"),
        post(bucket, put_bucket_metadata, needs=Right.TOKEN, status=201, title="Set metadata of a bucket"),
        delete(
            f"{bucket}/{{metadata_id}}",
            remove_bucket_metadata,
            needs=Right.TOKEN,
            status=204,
            title="Remove metadata of a bucket",
        ),
        get(table, list_table_metadata, needs=Right.TOKEN, title="List metadata of a table"),
        post(
            table,
            put_metadata_of_table,
            needs=Right.TOKEN,
            status=201,
            returns=TableMetadata,
            title="Set metadata of a table and its columns",
        ),
        delete(
            f"{table}/{{metadata_id}}",
            remove_table_metadata,
            needs=Right.TOKEN,
            status=204,
            title="Remove metadata of a table",
        ),
        get(column, list_column_metadata, needs=Right.TOKEN, title="List metadata of a column"),
        post(column, put_column_metadata, needs=Right.TOKEN, status=201, title="Set metadata of a column"),
        delete(
            f"{column}/{{metadata_id}}",
            remove_column_metadata,
            needs=Right.TOKEN,
            status=204,
            title="Remove metadata of a column",
        ),
    ]


def list_bucket_metadata(request: Request, bucket_id: str) -> list[Metadata]:
    with request.reading() as tx:
        return _views(metadata.list_metadata(tx, find_bucket_owner(tx, request.caller, bucket_id)))


def put_bucket_metadata(request: Request, bucket_id: str, body: NewMetadata) -> list[Metadata]:
    """Add or overwrite; returns all metadata of the bucket."""
    with request.reading() as tx:
        owner = find_bucket_owner(tx, request.caller, bucket_id, writes=True)
        metadata.check_metadata(tx, owner, body.provider, body.metadata)
    with request.writing() as tx:
        owner = find_bucket_owner(tx, request.caller, bucket_id, writes=True)
        metadata.put_metadata(tx, owner, body.provider, body.metadata)
    with request.reading() as tx:
        return _views(metadata.list_metadata(tx, owner))


def remove_bucket_metadata(request: Request, bucket_id: str, metadata_id: str) -> None:
    with request.writing() as tx:
        owner = find_bucket_owner(tx, request.caller, bucket_id, writes=True)
        metadata.remove_metadata(tx, owner, metadata_id)


def list_table_metadata(request: Request, table_id: str) -> list[Metadata]:
    with request.reading() as tx:
        return _views(metadata.list_metadata(tx, find_table_owner(tx, request.caller, table_id)))


def put_metadata_of_table(request: Request, table_id: str, body: NewTableMetadata) -> TableMetadata | list[Metadata]:
    """Add or overwrite metadata of the table and its columns. A form comes from an old client, which expects a plain
    list."""
    with request.reading() as tx:
        check_table_metadata(tx, request.caller, table_id, body)
    with request.writing() as tx:
        put_table_metadata(tx, request.caller, table_id, body)
    with request.reading() as tx:
        rows = metadata.list_metadata(tx, find_table_owner(tx, request.caller, table_id))
        columns = list_columns_metadata(tx, request.caller, table_id)
    if request.content_type.startswith(FORM):
        return _views(rows)
    shown = {column: _views(items) for column, items in columns.items()}
    return TableMetadata(metadata=_views(rows), columns_metadata=shown)


def remove_table_metadata(request: Request, table_id: str, metadata_id: str) -> None:
    with request.writing() as tx:
        owner = find_table_owner(tx, request.caller, table_id, writes=True)
        metadata.remove_metadata(tx, owner, metadata_id)


def list_column_metadata(request: Request, column_id: str) -> list[Metadata]:
    with request.reading() as tx:
        return _views(metadata.list_metadata(tx, find_column_owner(tx, request.caller, column_id)))


def put_column_metadata(request: Request, column_id: str, body: NewMetadata) -> list[Metadata]:
    with request.reading() as tx:
        owner = find_column_owner(tx, request.caller, column_id, writes=True)
        metadata.check_metadata(tx, owner, body.provider, body.metadata)
    with request.writing() as tx:
        owner = find_column_owner(tx, request.caller, column_id, writes=True)
        metadata.put_metadata(tx, owner, body.provider, body.metadata)
    with request.reading() as tx:
        return _views(metadata.list_metadata(tx, owner))


def remove_column_metadata(request: Request, column_id: str, metadata_id: str) -> None:
    with request.writing() as tx:
        owner = find_column_owner(tx, request.caller, column_id, writes=True)
        metadata.remove_metadata(tx, owner, metadata_id)


def _views(rows: Sequence[MetadataRow]) -> list[Metadata]:
    return [metadata_view(row, with_provider=True) for row in rows]
