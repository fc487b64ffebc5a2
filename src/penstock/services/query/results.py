"""The rows of a statement, read by the engine of the workspace that it was run in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.query import operations
from penstock.services.query.errors import NoRows
from penstock.services.query.models.rows import JobRow, StatementRow
from penstock.services.storage import interface as storage
from penstock.sql import Engine


class FoundResult(msgspec.Struct, frozen=True):
    """A statement that has ended, and the workspace that has its rows."""

    stack: Stack
    row: StatementRow
    workspace: storage.SqlWorkspace | None
    """None if the statement returned no rows."""

    @contextmanager
    def open(self) -> Generator[Engine]:
        if not self.workspace:
            raise NoRows(self.row.id, self.row.status)
        with storage.open_engine(self.stack, self.workspace) as engine:
            yield engine

    def read(self, offset: int, limit: int) -> list[list[str | None]]:
        """A page of rows; empty where there are none."""
        if not self.workspace or offset >= self.row.number_of_rows:
            return []
        with self.open() as engine:
            return engine.page(str(self.row.id), offset, limit).rows


def find_result(stack: Stack, caller: Caller, job_id: str, statement_id: str) -> FoundResult:
    """Raises if the statement is still running, and if its rows are no longer kept."""
    with stack.database.reading() as tx:
        job, row = operations.get_statement(tx, caller, job_id, statement_id)
        operations.check_results(row, clock.now())
        workspace = storage.get_sql_workspace(tx, _in_branch(caller, job), str(job.workspace_id))
    return FoundResult(stack, row, workspace if row.columns else None)


def _in_branch(caller: Caller, job: JobRow) -> Caller:
    return msgspec.structs.replace(caller, branch_id=job.branch_id)
