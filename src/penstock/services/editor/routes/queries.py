"""Statements of a session, which the query service runs."""

from __future__ import annotations

from uuid import UUID

from penstock.foundation.callers import Right
from penstock.services.editor import operations
from penstock.services.editor.models import OutputTables, PreviewRequest, QueriesRequest, SessionRow, Started
from penstock.services.editor.output_tables import find_output_tables
from penstock.services.editor.routes.sessions import ONE
from penstock.services.query import interface as query
from penstock.services.storage import interface as storage
from penstock.web.requests import Request
from penstock.web.routing import Route, post

PREVIEW_ROWS = 100


def routes() -> list[Route]:
    return [
        post(f"{ONE}/run-query", run_query, needs=Right.TOKEN, only_reads=True, title="Run SQL queries in a session"),
        post(
            f"{ONE}/table-preview",
            preview_table,
            needs=Right.TOKEN,
            only_reads=True,
            title="Preview a table of a session",
        ),
        post(
            "/sql/get-output-tables",
            list_output_tables,
            needs=Right.TOKEN,
            only_reads=True,
            works_on_full_disk=True,
            title="List the tables that a script creates",
        ),
    ]


def run_query(request: Request, session_id: str, body: QueriesRequest) -> Started:
    """Run statements in the workspace of the session. Those of a member who may only read change nothing."""
    with request.reading() as tx:
        operations.check_may_run(request.caller, operations.get_session(tx, request.caller, session_id))
    return _submit(request, session_id, body.queries)


def preview_table(request: Request, session_id: str, body: PreviewRequest) -> Started:
    """The first rows of a table, by default of the workspace's own schema."""
    with request.reading() as tx:
        row = operations.get_session(tx, request.caller, session_id)
    return _submit(request, session_id, [_preview(row, body)])


def _preview(row: SessionRow, asked: PreviewRequest) -> str:
    database, schema = asked.database_name or row.workspace_database, asked.schema_name or row.workspace_schema
    name = ".".join(quote(part) for part in (database, schema, asked.table_name))
    return f"SELECT * FROM {name} LIMIT {PREVIEW_ROWS}"


def _submit(request: Request, session_id: str, statements: list[str]) -> Started:
    with request.reading() as tx:
        operations.get_session(tx, request.caller, session_id)
    # The session of the database is that of the editor: temporary tables stay between statements.
    wanted = query.NewQuery(statements=statements, session_id=UUID(session_id))
    query.check_query(wanted)
    with request.writing() as tx:
        row = operations.get_session(tx, request.caller, session_id)
        caller = operations.in_branch(request.caller, row.branch_id)
        workspace = storage.get_sql_workspace(tx, caller, str(row.workspace_id))
        job_id, starting = query.submit_query(tx, request.stack, caller, workspace, wanted)
    request.waits.append(starting)
    return Started(query_job_id=job_id, url=f"{request.addresses.url_of('query')}/api/v1/queries/{job_id}")


def list_output_tables(request: Request, body: QueriesRequest) -> OutputTables:  # noqa: ARG001
    """The tables that a script creates, as far as its text says so."""
    return OutputTables(tables=find_output_tables(body.queries))


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
