"""Tables over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.errors import InvalidPreviewFormat
from penstock.services.storage.models.buckets import show_bucket
from penstock.services.storage.models.tables import Cell, Preview, PreviewQuery, Table, show_table
from penstock.services.storage.operations import buckets, tables
from penstock.services.storage.routes.buckets import IncludeQuery
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, get

CSV = "text/csv; charset=UTF-8"
CELL_CHARACTERS = 16_384
DETAIL = frozenset(("columns", "metadata", "columnMetadata", "buckets", "definition"))


def routes() -> list[Route]:
    one = "/v2/storage/tables/{table_id}"
    preview = {"query": PreviewQuery, "returns": Preview, "media_type": CSV, "uses_lake": True}
    return [
        get("/v2/storage/tables", list_tables, query=IncludeQuery, returns=list[Table], needs=Right.TOKEN),
        get(one, get_table, returns=Table, needs=Right.TOKEN),
        get(f"{one}/data-preview", preview_table, needs=Right.TOKEN, **preview),
    ]


def list_tables(request: Request) -> list[Table]:
    url = request.addresses.url_of(STORAGE)
    include = request.query.members(frozenset(("buckets", "metadata")))
    with request.reading() as tx:
        owners = {row.id: show_bucket(row, url) for row in buckets.list_buckets(tx, request.caller)}
        rows = tables.list_tables(tx, request.caller)
    return [show_table(row, url, owners.get(row.bucket_id), include) for row in rows]


def get_table(request: Request) -> Table:
    url = request.addresses.url_of(STORAGE)
    with request.reading() as tx:
        bucket, row = tables.get_table(tx, request.caller, request.path["table_id"])
    return show_table(row, url, show_bucket(bucket, url), DETAIL)


def preview_table(request: Request) -> Text | Preview:
    """The first rows of a table, as CSV or, with `format=json`, as JSON."""
    if request.query.format not in ("rfc", "json"):
        raise InvalidPreviewFormat(request.query.format)
    with request.reading() as tx:
        bucket, row = tables.get_table(tx, request.caller, request.path["table_id"])
    columns, rows = tables.preview_table(request.stack, bucket, row, request.query)
    return _as_json(columns, rows) if request.query.format == "json" else _as_csv(columns, rows)


def _as_csv(columns: list[str], rows: list[tuple[str, ...]]) -> Text:
    lines = [",".join(f'"{_escape(value)}"' for value in row) for row in [tuple(columns), *rows]]
    return Text("\n".join(lines) + "\n", CSV)


def _escape(value: str) -> str:
    return value.replace('"', '""')


def _as_json(columns: list[str], rows: list[tuple[str, ...]]) -> Preview:
    return Preview(columns=columns, rows=[[_cell(n, v) for n, v in zip(columns, row, strict=True)] for row in rows])


def _cell(name: str, value: str) -> Cell:
    return Cell(column_name=name, value=value[:CELL_CHARACTERS], is_truncated=len(value) > CELL_CHARACTERS)
