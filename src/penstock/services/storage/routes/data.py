"""Rows of tables over HTTP."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.callers import Right
from penstock.services.storage.errors.tables import InvalidPreviewFormat, InvalidTable
from penstock.services.storage.models import Wire
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.queries import DeletionRequest, ExportRequest, ImportRequest, PreviewQuery
from penstock.services.storage.models.tables import Cell, Preview
from penstock.services.storage.operations import maintenance
from penstock.services.storage.operations.files.uploads import keep_rows
from penstock.services.storage.operations.tables import deletions, exports, imports, tables
from penstock.services.storage.routes.jobs import accept, finish
from penstock.services.storage.routes.views import viewer_of
from penstock.web.requests import Later, Request, Text
from penstock.web.routing import Route, delete, get, post

CSV = "text/csv; charset=UTF-8"
CELL_CHARACTERS = 16_384


class Imported(Wire, frozen=True):
    """How a load went that was waited for."""

    imported_columns: list[str]
    total_rows_count: int
    status: str = "ok"
    warnings: list[str] = []


def routes() -> list[Route]:
    one = "/v2/storage/tables/{table_id}"
    preview = {"query": PreviewQuery, "returns": Preview, "media_type": CSV, "uses_lake": True}
    job = {"returns": Job, "status": 202}
    return [
        get(f"{one}/data-preview", preview_table, needs=Right.TOKEN, **preview),
        post(f"{one}/import-async", import_file, body=ImportRequest, needs=Right.TOKEN, **job),
        post(f"{one}/import", import_at_once, body=ImportRequest, returns=Imported, needs=Right.TOKEN),
        post(f"{one}/export-async", export_table, body=ExportRequest, needs=Right.TOKEN, **job),
        delete(f"{one}/rows", delete_rows, body=DeletionRequest, query=DeletionRequest, needs=Right.TOKEN, **job),
        post(f"{one}/optimize", optimize_table, needs=Right.TOKEN, **job),
    ]


def preview_table(request: Request) -> Text | Preview:
    """The first rows of a table, as CSV or, with `format=json`, as JSON."""
    if request.query.format not in ("rfc", "json"):
        raise InvalidPreviewFormat(request.query.format)
    with request.reading() as tx:
        located = tables.get_table(tx, request.caller, request.path["table_id"])
    columns, rows = tables.preview_table(request.stack, located, request.query)
    return _as_json(columns, rows) if request.query.format == "json" else _as_csv(columns, rows)


def import_file(request: Request) -> Job:
    """Load a file that was uploaded before."""
    with request.writing() as tx:
        job = imports.plan_import(tx, request.stack, request.caller, request.path["table_id"], request.body)
    return accept(request, job)


def import_at_once(request: Request) -> Later:
    """Load the rows in the request."""
    table_id = request.path["table_id"]
    with request.reading() as tx:
        tables.get_own_table(tx, request.caller, table_id)
    file = keep_rows(request.stack, request.caller, request.body)
    wanted = msgspec.structs.replace(request.body, data_file_id=file.id)
    with request.writing() as tx:
        job = imports.plan_import(tx, request.stack, request.caller, table_id, wanted)
    return finish(request, job, _imported_view)


def _imported_view(results: Any) -> Imported:
    return Imported(imported_columns=results["importedColumns"], total_rows_count=results["totalRowsCount"])


def export_table(request: Request) -> Job:
    """Write rows into a file of slices; the result of the job names it."""
    with request.writing() as tx:
        job = exports.plan_export(tx, viewer_of(request), request.path["table_id"], request.body)
    return accept(request, job)


def delete_rows(request: Request) -> Job:
    """Delete the rows that the filters let through; all of them only if `allowTruncate` says so."""
    nothing = DeletionRequest()
    if nothing not in (request.body, request.query):
        raise InvalidTable("Say which rows to delete in the query or in the body, not in both.")
    wanted = request.body if request.body != nothing else request.query
    with request.writing() as tx:
        job = deletions.plan_deletion(tx, request.caller, request.path["table_id"], wanted)
    return accept(request, job)


def optimize_table(request: Request) -> Job:
    """Merge small files of a table; the stack does so by itself now and then."""
    with request.writing() as tx:
        job = maintenance.plan_optimization(tx, request.caller, request.path["table_id"])
    return accept(request, job)


def _as_csv(columns: list[str], rows: list[tuple[str, ...]]) -> Text:
    lines = [",".join(f'"{_escape(value)}"' for value in row) for row in [tuple(columns), *rows]]
    return Text("\n".join(lines) + "\n", CSV)


def _escape(value: str) -> str:
    return value.replace('"', '""')


def _as_json(columns: list[str], rows: list[tuple[str, ...]]) -> Preview:
    return Preview(columns=columns, rows=[[_cell(n, v) for n, v in zip(columns, row, strict=True)] for row in rows])


def _cell(name: str, value: str) -> Cell:
    return Cell(column_name=name, value=value[:CELL_CHARACTERS], is_truncated=len(value) > CELL_CHARACTERS)
