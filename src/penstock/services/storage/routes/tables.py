"""Tables over HTTP: list, create, change, delete. Their rows are in data.py."""

from __future__ import annotations

from types import NoneType

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.structs import Wire
from penstock.services.storage.models.definitions import NewAlias, NewTable
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.queries import TableFromData
from penstock.services.storage.models.tables import Table
from penstock.services.storage.operations.buckets import get_own_bucket
from penstock.services.storage.operations.files.uploads import keep_rows
from penstock.services.storage.operations.tables import aliases, definitions, imports, snapshots, tables
from penstock.services.storage.operations.tables.views import detail_view, tables_view
from penstock.services.storage.routes.jobs import accept, finish
from penstock.services.storage.routes.views import DeletionQuery, IncludeQuery, viewer_of
from penstock.web.requests import Later, Request
from penstock.web.routing import Route, delete, get, post, put


class TableChange(Wire, frozen=True):
    display_name: str
    """New name that people see, unique in the bucket. The id stays."""


def routes() -> list[Route]:
    one, bucket = "/v2/storage/tables/{table_id}", "/v2/storage/buckets/{bucket_id}"
    return [
        get("/v2/storage/tables", list_tables, needs=Right.TOKEN),
        get(one, get_table, needs=Right.TOKEN),
        put(one, change_table, needs=Right.TOKEN, title="Rename a table"),
        delete(one, delete_table, needs=Right.TOKEN, status=202),
        post(
            f"{bucket}/tables-definition",
            define_table,
            needs=Right.TOKEN,
            status=202,
            title="Create an empty table with typed columns",
        ),
        post(
            f"{bucket}/tables-async",
            create_table,
            needs=Right.TOKEN,
            status=202,
            title="Create a table from an uploaded CSV file",
        ),
        post(
            f"{bucket}/tables",
            create_at_once,
            needs=Right.TOKEN,
            status=201,
            title="Create a table from CSV in the request",
        ),
        post(
            f"{bucket}/table-aliases", create_alias, needs=Right.TOKEN, status=201, title="Create an alias of a table"
        ),
    ]


def list_tables(request: Request, query: IncludeQuery) -> list[Table]:
    include = query.members(frozenset(("buckets", "metadata")))
    with request.reading() as tx:
        return tables_view(tx, viewer_of(request), tables.list_tables(tx, request.caller), include)


def get_table(request: Request, table_id: str) -> Table:
    with request.reading() as tx:
        located = tables.get_table(tx, request.caller, table_id)
        return detail_view(tx, viewer_of(request), located.row)


def change_table(request: Request, table_id: str, body: TableChange) -> Table:
    with request.writing() as tx:
        row = tables.rename_table(tx, request.caller, table_id, body.display_name)
        return detail_view(tx, viewer_of(request), row)


def delete_table(request: Request, table_id: str, query: DeletionQuery) -> Job | Later[None]:
    """204, or 202 with a job if requested."""
    with request.writing() as tx:
        job = tables.plan_drop(tx, request.caller, table_id, is_forced=query.force)
    return accept(request, job) if query.is_async else finish(request, job, NoneType)


def define_table(request: Request, bucket_id: str, body: NewTable) -> Job:
    """Create an empty table, whose columns may have types."""
    with request.writing() as tx:
        job = definitions.plan_table(tx, viewer_of(request), bucket_id, body)
    return accept(request, job)


def create_table(request: Request, bucket_id: str, body: TableFromData) -> Job:
    """Create a table from a file, from a snapshot, or from an earlier version of another table."""
    viewer = viewer_of(request)
    with request.writing() as tx:
        if (body.snapshot_id is not None or body.source_table_id) and body.data_file_id is None:
            job = snapshots.plan_table(tx, viewer, bucket_id, body)
        else:
            job = imports.plan_table(tx, request.stack, viewer, bucket_id, body)
    return accept(request, job)


def create_at_once(request: Request, bucket_id: str, body: TableFromData) -> Later[Table]:
    """Create a table from the rows in the request."""
    with request.reading() as tx:
        get_own_bucket(tx, request.caller, bucket_id)
    file = keep_rows(request.stack, request.caller, body)
    wanted = msgspec.structs.replace(body, data_file_id=file.id)
    with request.writing() as tx:
        job = imports.plan_table(tx, request.stack, viewer_of(request), bucket_id, wanted)
    return finish(request, job, Table)


def create_alias(request: Request, bucket_id: str, body: NewAlias) -> Table:
    with request.writing() as tx:
        row = aliases.create_alias(tx, request.caller, bucket_id, body)
        return detail_view(tx, viewer_of(request), row)
