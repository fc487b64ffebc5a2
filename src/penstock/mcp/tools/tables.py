"""The columns of a table, with some of its rows."""

from __future__ import annotations

from typing import Annotated

import msgspec

from penstock.client import Client
from penstock.mcp.paging import Next, Offset, fit_rows, take
from penstock.mcp.tool import Arguments, Output
from penstock.mcp.tools.views import ColumnView

MAX_COLUMNS, SAMPLED_COLUMNS = 200, 50


class TableWish(Arguments, frozen=True):
    table_id: Annotated[
        str, msgspec.Meta(min_length=1, max_length=500, description="Bucket and name.", examples=["in.c-shop.orders"])
    ]
    rows: Annotated[int, msgspec.Meta(ge=0, le=100, description="How many rows to show.")] = 10
    offset: Annotated[Offset, msgspec.Meta(description="How many columns to skip.")] = 0


class TableView(Output, frozen=True):
    table_id: str
    rows: int | None
    bytes: int | None
    primary_key: list[str]
    last_load: str | None
    columns: list[ColumnView]
    next: Next | None = None
    sample_columns: list[str] = []
    sample: list[list[str | None]] = []
    hint: str = ""


def get_table(client: Client, arguments: TableWish) -> TableView:
    """Columns with types, primary key, size and first rows of a table.

    Values of the sample are text, shortened to 500 characters. Example: {"table_id": "in.c-shop.orders", "rows": 5}"""
    table = client.get_table(arguments.table_id)
    columns = [ColumnView(name=name, type=type_) for name, type_ in table.types.items()]
    page, following = take(columns, arguments.offset, MAX_COLUMNS)
    names, sample = _sample(client, table.id, arguments.rows)
    bucket, _, name = table.id.rpartition(".")
    return TableView(
        table_id=table.id,
        rows=table.rows_count,
        bytes=table.data_size_bytes,
        primary_key=table.primary_key,
        last_load=table.last_import_date,
        columns=page,
        next=following,
        sample_columns=names,
        sample=sample,
        hint=f'More rows: query_sql with SELECT … FROM "{bucket}"."{name}"',
    )


def _sample(client: Client, table_id: str, rows: int) -> tuple[list[str], list[list[str | None]]]:
    if not rows:
        return [], []
    preview = client.preview(table_id, rows)
    return preview.columns[:SAMPLED_COLUMNS], fit_rows([row[:SAMPLED_COLUMNS] for row in preview.rows])
