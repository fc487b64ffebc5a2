"""What is recorded of a job while it runs.

Everything raises LeaseLost if the job has ended meanwhile: a client canceled it, or another process found its lease
expired.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError
from penstock.foundation.stack import Stack
from penstock.services.query import store
from penstock.services.query.charging import charge_job
from penstock.services.query.models.rows import JobRow, StatementRow
from penstock.services.query.models.statuses import JobStatus, StatementStatus
from penstock.sql import Outcome, StatementFailed


class Recording:
    def __init__(self, stack: Stack, job: JobRow) -> None:
        self._stack, self._database, self._job = stack, stack.database, job
        self._start_time, self._rows = job.start_time, 0
        self.has_session_state = self._is_kept = False
        """Whether its session has something that is lost with it, and whether that is recorded."""

    def start(self, first: StatementRow) -> None:
        """Recorded only of a job that had to wait: others are stored as running."""
        with self._database.reading() as tx:
            self.has_session_state = self._is_kept = store.has_open_session(tx, self._job)
        if self._job.status is JobStatus.PROCESSING:
            return
        now = clock.now()
        with self._database.writing(self._job.project_id) as tx:
            store.change_claimed(tx, self._job, status=JobStatus.PROCESSING, start_time=now, changed_time=now)
            _begin(tx, first, now)
        self._start_time = now

    def complete(self, row: StatementRow, outcome: Outcome, following: StatementRow | None) -> None:
        """The statement ended well; without a following one, so did the job."""
        now = clock.now()
        self._rows += outcome.number_of_rows + outcome.rows_affected
        with self._database.writing(self._job.project_id) as tx:
            if following:
                store.change_claimed(tx, self._job, changed_time=now)
                # Also while the job runs: one that is canceled does not end here.
                self._keep_session(tx, now)
                _begin(tx, following, now)
            else:
                self._end(tx, JobStatus.COMPLETED, now)
            store.change_statement(
                tx,
                row,
                status=StatementStatus.COMPLETED,
                columns=msgspec.to_builtins(outcome.columns),
                number_of_rows=outcome.number_of_rows,
                rows_affected=outcome.rows_affected,
                message=outcome.message,
                completed_time=now,
            )

    def fail(self, row: StatementRow, message: str, error: AppError | None = None) -> None:
        """The statement failed, and with it the job; later ones are not executed."""
        failed: dict[str, Any] = {"message": message}
        if isinstance(error, StatementFailed):
            failed |= {"error_position": msgspec.to_builtins(error.position)}
            failed |= {"error_code": error.error_code or None, "sql_state": error.sql_state or None}
        self._end_with(row, JobStatus.FAILED, StatementStatus.FAILED, StatementStatus.NOT_EXECUTED, **failed)

    def cancel(self, row: StatementRow, message: str) -> None:
        self._end_with(row, JobStatus.CANCELED, StatementStatus.CANCELED, StatementStatus.CANCELED, message=message)

    def _end_with(
        self, row: StatementRow, job: JobStatus, statement: StatementStatus, later: StatementStatus, **values: Any
    ) -> None:
        now = clock.now()
        with self._database.writing(self._job.project_id) as tx:
            self._end(tx, job, now)
            store.change_statement(tx, row, status=statement, completed_time=now, **values)
            store.end_statements(tx, self._job, now, later)

    def _end(self, tx: Transaction, status: JobStatus, now: datetime) -> None:
        self._keep_session(tx, now)
        ended = {"is_finished": True, "end_time": now, "changed_time": now, "lease_until": None}
        store.change_claimed(tx, self._job, status=status, **ended)
        charge_job(tx, self._stack, self._job, self._start_time, now, self._rows)

    def _keep_session(self, tx: Transaction, now: datetime) -> None:
        if self.has_session_state != self._is_kept:
            store.keep_open_session(tx, self._job, now, is_open=self.has_session_state)
            self._is_kept = self.has_session_state


def _begin(tx: Transaction, row: StatementRow, now: datetime) -> None:
    store.change_statement(tx, row, status=StatementStatus.PROCESSING, executed_time=now)
