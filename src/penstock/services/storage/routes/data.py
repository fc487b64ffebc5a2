"""Rows of tables over HTTP."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.structs import Wire
from penstock.services.storage.errors.tables import InvalidPreviewFormat, InvalidTable
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
    """The result of a synchronous load."""

    imported_columns: list[str]
    total_rows_count: int
    status: str = "ok"
    warnings: list[str] = []


def routes() -> list[Route]:
    one = "/v2/storage/tables/{table_id}"
    return [
        get(
            f"{one}/data-preview",
            preview_table,
            needs=Right.TOKEN,
            media_type=CSV,
            uses_lake=True,
            title="Preview a table",
        ),
        post(
            f"{one}/import-async",
            import_file,
            needs=Right.TOKEN,
            status=202,
            title="Load an uploaded CSV file into a table",
        ),
        post(f"{one}/import", import_at_once, needs=Right.TOKEN, title="Load CSV in the request into a table"),
        post(
            f"{one}/export-async",
            export_table,
            needs=Right.TOKEN,
            status=202,
            only_reads=True,
            title="Export a table to a file",
        ),
        delete(f"{one}/rows", delete_rows, needs=Right.TOKEN, status=202, title="Delete rows of a table"),
        post(f"{one}/optimize", optimize_table, needs=Right.TOKEN, status=202),
    ]


def preview_table(request: Request, table_id: str, query: PreviewQuery) -> Text | Preview:
    """The first rows of a table, as CSV or, with `format=json`, as JSON."""
    if query.format not in ("rfc", "json"):
        raise InvalidPreviewFormat(query.format)
    with request.reading() as tx:
        located = tables.get_table(tx, request.caller, table_id)
    columns, rows = tables.preview_table(request.stack, located, query)
    return _as_json(columns, rows) if query.format == "json" else _as_csv(columns, rows)


def import_file(request: Request, table_id: str, body: ImportRequest) -> Job:
    """Load a file that was uploaded before."""
    with request.writing() as tx:
        job = imports.plan_import(tx, request.stack, request.caller, table_id, body)
    return accept(request, job)


def import_at_once(request: Request, table_id: str, body: ImportRequest) -> Later[Imported]:
    """Load the rows in the request."""
    with request.reading() as tx:
        tables.get_own_table(tx, request.caller, table_id)
    file = keep_rows(request.stack, request.caller, body)
    wanted = msgspec.structs.replace(body, data_file_id=file.id)
    with request.writing() as tx:
        job = imports.plan_import(tx, request.stack, request.caller, table_id, wanted)
    return finish(request, job, Imported)


def export_table(request: Request, table_id: str, body: ExportRequest) -> Job:
    """Write rows into a sliced file; the job's results name it."""
    with request.writing() as tx:
        job = exports.plan_export(tx, viewer_of(request), table_id, body)
    return accept(request, job)


def delete_rows(request: Request, table_id: str, query: DeletionRequest, body: DeletionRequest) -> Job:
    """Delete the rows that match the filters; all rows only with `allowTruncate`."""
    nothing = DeletionRequest()
    if nothing not in (body, query):
        raise InvalidTable("Select the rows to delete in the query or in the body, not in both.")
    wanted = body if body != nothing else query
    with request.writing() as tx:
        job = deletions.plan_deletion(tx, request.caller, table_id, wanted)
    return accept(request, job)


def optimize_table(request: Request, table_id: str) -> Job:
    """Merge small files of a table; the stack also does so periodically."""
    with request.writing() as tx:
        job = maintenance.plan_optimization(tx, request.caller, table_id)
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
