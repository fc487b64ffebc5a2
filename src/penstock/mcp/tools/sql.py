"""Statements over the tables of the project. One tool only reads; the other changes tables of the workspace."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from penstock.client import Client, SqlResult
from penstock.mcp.paging import Next, Offset, fit_rows, shorten
from penstock.mcp.tool import Arguments, InvalidArguments, NotConfirmed, Output
from penstock.mcp.tools.views import ColumnView

_SHOWN = 200
_EXPLAIN = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)


Timeout = Annotated[int, msgspec.Meta(ge=1, le=50, description="When the statement is stopped.")]


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
    timeout_seconds: Timeout = 45


class Change(Arguments, frozen=True):
    statement: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=100_000,
            description="One statement that changes tables of the workspace, in the dialect of DuckDB.",
            examples=[
                'CREATE TABLE per_country AS SELECT country, count(*) AS n FROM "in.c-shop"."customers" GROUP BY 1'
            ],
        ),
    ]
    timeout_seconds: Timeout = 45
    confirm: Annotated[bool, msgspec.Meta(description="True after the user agreed.")] = False


class Changed(Output, frozen=True):
    rows_affected: int
    message: str = ""
    """What the engine says of it."""


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


def write_sql(client: Client, arguments: Change) -> Changed:
    """Run one SQL statement that changes tables of the SQL workspace: CREATE, INSERT, UPDATE, DELETE, ALTER or DROP.

    The workspace is shared by the project, and keeps its tables; query_sql reads them by their names. Tables of the
    project can be read and not changed: to write one, configure a transformation. Needs `confirm: true`, after the
    user agreed. Example: {"statement": "CREATE TABLE totals AS SELECT 1 AS n", "confirm": true}"""
    check_changes(arguments.statement)
    if not arguments.confirm:
        raise NotConfirmed(f"run this in the workspace of the project: {shorten(arguments.statement, _SHOWN)}")
    page = client.sql(arguments.statement, timeout=arguments.timeout_seconds).first_page
    return Changed(rows_affected=page.rows_affected, message=page.message or "")


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
    kinds = _parse(plain)
    # PIVOT is parsed as two statements: the first makes a type for its columns.
    is_pivot = len(kinds) == 2 and kinds[0] == duckdb.StatementType.CREATE and ";" not in plain.rstrip().rstrip(";")
    reads = [duckdb.StatementType.SELECT]
    if kinds != reads and not (is_pivot and kinds[1:] == reads):
        raise InvalidArguments(
            "Only one statement that reads is run: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE or EXPLAIN of one. "
            "To change tables of the workspace, use write_sql. To write a table of the project, configure a "
            "transformation, such as keboola.duckdb-transformation, and run it."
        )


def check_changes(statement: str) -> None:
    """Raise unless it is one statement that changes tables."""
    import duckdb

    types = duckdb.StatementType
    changes = (types.CREATE, types.INSERT, types.UPDATE, types.DELETE, types.ALTER, types.DROP)
    kinds = _parse(statement)
    if len(kinds) != 1 or kinds[0] not in changes:
        raise InvalidArguments(
            "Only one statement that changes tables is run: CREATE, INSERT, UPDATE, DELETE, ALTER or DROP. "
            "query_sql runs those that read."
        )


def _parse(statement: str) -> list[Any]:
    """The kinds of its statements, by the engine's own parser."""
    import duckdb

    try:
        return [each.type for each in duckdb.extract_statements(statement)]
    except duckdb.Error as error:
        raise InvalidArguments(f"The statement is not valid SQL of DuckDB: {error}") from error
