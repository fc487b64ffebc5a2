"""Statements over the tables of the project: only such that read."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec

from penstock.client import Client, SqlResult
from penstock.mcp.paging import Next, Offset, fit_rows
from penstock.mcp.tool import Arguments, InvalidArguments, Output
from penstock.mcp.tools.views import ColumnView

_EXPLAIN = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)


class Query(Arguments, frozen=True):
    statement: Annotated[
        str,
        msgspec.Meta(
            max_length=100_000,
            description="One SELECT, FROM, WITH, DESCRIBE, SUMMARIZE or EXPLAIN in the dialect of DuckDB.",
            examples=['SELECT country, count(*) FROM "in.c-shop"."customers" GROUP BY ALL'],
        ),
    ] = ""
    result_id: Annotated[
        str, msgspec.Meta(max_length=100, description="Instead of a statement: more rows of an earlier result.")
    ] = ""
    rows: Annotated[int, msgspec.Meta(ge=1, le=1000, description="The most rows, up to 1000.")] = 100
    offset: Offset = 0
    timeout_seconds: Annotated[int, msgspec.Meta(ge=1, le=50, description="When the statement is stopped.")] = 45


class Rows(Output, frozen=True):
    columns: list[ColumnView]
    rows: list[list[str | None]]
    number_of_rows: int
    """Of the whole result."""
    next: Next | None = None


def query_sql(client: Client, arguments: Query) -> Rows:
    """Run one SQL statement that reads the tables of the project, in DuckDB's dialect, and return its rows as text.

    A table is named by bucket and name, each in double quotes: "in.c-shop"."orders". Columns without types are text:
    cast them, for example CAST(price AS DOUBLE). `next` reads on in the same result. Example: {"statement": "FROM
    \\"in.c-shop\\".\\"orders\\" LIMIT 5"}"""
    result = _run(client, arguments)
    page = result.page(arguments.offset, arguments.rows)
    rows = fit_rows(page.data)
    end = arguments.offset + len(rows)
    return Rows(
        columns=[ColumnView(name=column.name, type=column.type) for column in page.columns],
        rows=rows,
        number_of_rows=page.number_of_rows,
        next={"result_id": result.id, "offset": end} if rows and end < page.number_of_rows else None,
    )


def _run(client: Client, arguments: Query) -> SqlResult:
    if bool(arguments.statement.strip()) == bool(arguments.result_id):
        raise InvalidArguments("Give either a `statement`, or the `result_id` of an earlier one.")
    if arguments.result_id:
        return client.queries.find(arguments.result_id)
    check_reads(arguments.statement)
    return client.sql(arguments.statement, timeout=arguments.timeout_seconds)


def check_reads(statement: str) -> None:
    """Raise unless it is one statement that reads, by the parser of the engine that runs it."""
    import duckdb

    plain = _EXPLAIN.sub("", statement, count=1) if _EXPLAIN.match(statement) else statement
    try:
        kinds = [each.type for each in duckdb.extract_statements(plain)]
    except duckdb.Error as error:
        raise InvalidArguments(f"The statement is not valid SQL of DuckDB: {error}") from error
    # PIVOT is parsed as two statements: the first makes a type for its columns.
    is_pivot = len(kinds) == 2 and kinds[0] == duckdb.StatementType.CREATE and ";" not in plain.rstrip().rstrip(";")
    reads = [duckdb.StatementType.SELECT]
    if kinds != reads and not (is_pivot and kinds[1:] == reads):
        raise InvalidArguments(
            "Only one statement that reads is run: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE or EXPLAIN of one. "
            "To write a table, configure a transformation, such as keboola.duckdb-transformation, and run it."
        )
