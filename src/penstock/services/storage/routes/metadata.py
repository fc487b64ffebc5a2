"""Metadata of buckets, tables and columns over HTTP; configurations and branches have theirs in their own tables."""

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
    every = {"returns": list[Metadata]}
    put = {**every, "body": NewMetadata, "status": 201}
    put_table = {"returns": TableMetadata, "body": NewTableMetadata, "status": 201}
    return [
        get(bucket, list_bucket_metadata, needs=Right.TOKEN, **every),
        post(bucket, put_bucket_metadata, needs=Right.TOKEN, **put),
        delete(f"{bucket}/{{metadata_id}}", remove_bucket_metadata, status=204, needs=Right.TOKEN),
        get(table, list_table_metadata, needs=Right.TOKEN, **every),
        post(table, put_metadata_of_table, needs=Right.TOKEN, **put_table),
        delete(f"{table}/{{metadata_id}}", remove_table_metadata, status=204, needs=Right.TOKEN),
        get(column, list_column_metadata, needs=Right.TOKEN, **every),
        post(column, put_column_metadata, needs=Right.TOKEN, **put),
        delete(f"{column}/{{metadata_id}}", remove_column_metadata, status=204, needs=Right.TOKEN),
    ]


def list_bucket_metadata(request: Request) -> list[Metadata]:
    with request.reading() as tx:
        return _show(metadata.list_metadata(tx, find_bucket_owner(tx, request.caller, request.path["bucket_id"])))


def put_bucket_metadata(request: Request) -> list[Metadata]:
    """Add or overwrite; answers with all that the bucket has."""
    with request.writing() as tx:
        owner = find_bucket_owner(tx, request.caller, request.path["bucket_id"], writes=True)
        metadata.put_metadata(tx, owner, request.body.provider, request.body.metadata)
    with request.reading() as tx:
        return _show(metadata.list_metadata(tx, owner))


def remove_bucket_metadata(request: Request) -> None:
    with request.writing() as tx:
        owner = find_bucket_owner(tx, request.caller, request.path["bucket_id"], writes=True)
        metadata.remove_metadata(tx, owner, request.path["metadata_id"])


def list_table_metadata(request: Request) -> list[Metadata]:
    with request.reading() as tx:
        return _show(metadata.list_metadata(tx, find_table_owner(tx, request.caller, request.path["table_id"])))


def put_metadata_of_table(request: Request) -> TableMetadata | list[Metadata]:
    """Add or overwrite, of the table and its columns. Whoever sends a form is an old client and reads a plain list."""
    with request.writing() as tx:
        put_table_metadata(tx, request.caller, request.path["table_id"], request.body)
    with request.reading() as tx:
        rows = metadata.list_metadata(tx, find_table_owner(tx, request.caller, request.path["table_id"]))
        columns = list_columns_metadata(tx, request.caller, request.path["table_id"])
    if request.content_type.startswith(FORM):
        return _show(rows)
    shown = {column: _show(items) for column, items in columns.items()}
    return TableMetadata(metadata=_show(rows), columns_metadata=shown)


def remove_table_metadata(request: Request) -> None:
    with request.writing() as tx:
        owner = find_table_owner(tx, request.caller, request.path["table_id"], writes=True)
        metadata.remove_metadata(tx, owner, request.path["metadata_id"])


def list_column_metadata(request: Request) -> list[Metadata]:
    with request.reading() as tx:
        return _show(metadata.list_metadata(tx, find_column_owner(tx, request.caller, request.path["column_id"])))


def put_column_metadata(request: Request) -> list[Metadata]:
    with request.writing() as tx:
        owner = find_column_owner(tx, request.caller, request.path["column_id"], writes=True)
        metadata.put_metadata(tx, owner, request.body.provider, request.body.metadata)
    with request.reading() as tx:
        return _show(metadata.list_metadata(tx, owner))


def remove_column_metadata(request: Request) -> None:
    with request.writing() as tx:
        owner = find_column_owner(tx, request.caller, request.path["column_id"], writes=True)
        metadata.remove_metadata(tx, owner, request.path["metadata_id"])


def _show(rows: Sequence[MetadataRow]) -> list[Metadata]:
    return [metadata_view(row, with_provider=True) for row in rows]
