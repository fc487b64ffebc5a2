"""One statement at once, as old clients send it to Storage. The service `query` is for all others."""

from __future__ import annotations

from uuid import uuid4

from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.workspaces import InvalidLoad
from penstock.services.storage.models.workspace_loads import QueryData, QueryResult
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.tables.links import find_tables
from penstock.services.storage.operations.workspace_engines import open_engine
from penstock.sql import Statement, StatementCanceled, StatementFailed, StatementTimedOut

SECONDS = 60.0
ROWS = 1_000
"""What is returned of a result; a longer one is an error and not cut, which clients could not see."""


def run_query(stack: Stack, caller: Caller, row: WorkspaceRow, sql: str) -> QueryResult:
    if not sql.strip():
        raise InvalidLoad("Send the statement to run as `query`.")
    seconds = min(SECONDS, row.statement_timeout_seconds or SECONDS)
    statement = Statement(id=f"storage-{uuid4().hex}", sql=sql, timeout_seconds=seconds, is_read_only=row.is_read_only)
    reads_storage = row.read_only_storage_access
    with open_engine(stack, row) as engine:
        try:
            outcome = engine.execute(
                statement, lambda names: find_tables(stack, caller, row.creator_id, names) if reads_storage else ()
            )
        except (StatementFailed, StatementTimedOut, StatementCanceled) as error:
            return QueryResult(status="error", message=error.message)
        if not outcome.columns:
            return QueryResult(status="ok", message=outcome.message)
        if outcome.number_of_rows > ROWS:
            message = f"The result has {outcome.number_of_rows} rows, and this call returns at most {ROWS}. Add LIMIT."
            return QueryResult(status="error", message=message)
        page = engine.page(statement.id, 0, ROWS)
    names = [column.name for column in page.columns]
    return QueryResult(
        status="ok", data=QueryData(columns=names, rows=[dict(zip(names, each, strict=True)) for each in page.rows])
    )
