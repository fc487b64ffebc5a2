"""One query job: its statements are executed in order by the engine of the workspace."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.errors import AppError
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.query.errors import ServerRestarted
from penstock.services.query.execution.recording import Recording
from penstock.services.query.models.rows import JobRow, StatementRow
from penstock.services.storage import interface as storage
from penstock.sql import (
    Engine,
    EngineStopped,
    FindTables,
    Outcome,
    SessionGone,
    Statement,
    StatementCanceled,
    StatementTimedOut,
)

log = Log("query")

INTERNAL = (
    "The stack could not run this statement, through no fault of yours. Its operator finds the reason in the log."
)


class JobContext(msgspec.Struct, frozen=True):
    """What a job is run with."""

    stack: Stack
    caller: Caller
    """Who submitted it, in the branch of the workspace: its statements read what this caller may read."""
    workspace: storage.SqlWorkspace


class JobRun:
    """A job, from when it is given to the threads until it has ended."""

    def __init__(self, context: JobContext, job: JobRow, rows: Sequence[StatementRow]) -> None:
        self._context, self.job, self._rows = context, job, rows
        self._recording = Recording(context.stack, job)
        self._deadline = time.monotonic() + job.timeout_seconds if job.timeout_seconds else None
        self._canceled, self._stopped = threading.Event(), threading.Event()
        self._executing: str | None = None
        self._current = rows[0]
        """The statement that an error is about."""
        self._has_session = False
        """Whether a statement has run, or an earlier job left something in the session: the next ones need it."""

    @property
    def is_canceled(self) -> bool:
        return self._canceled.is_set()

    def stop(self) -> None:
        """The server stops: the job fails."""
        self._stopped.set()
        self.cancel()

    def cancel(self) -> None:
        """Execute nothing more. Called again until the job has ended: the first call may come before the engine has
        the statement."""
        self._canceled.set()
        if statement_id := self._executing:
            # With a connection of its own: that of the thread is busy with the statement.
            with suppress(AppError), self._open() as engine:
                engine.cancel(statement_id)

    def run(self) -> None:
        try:
            self._recording.start(self._rows[0])
            self._has_session = self._recording.has_session_state
            self._execute_all()
        except LeaseLost:
            log.info("query job has already ended", job_id=self.job.id)

    def _execute_all(self) -> None:
        try:
            with self._open() as engine:
                self._check_variables(engine)
                outcome = self._execute_rows(engine)
            self._recording.complete(self._rows[-1], outcome, None)
        except LeaseLost:
            raise
        except StatementCanceled as error:
            if self._stopped.is_set():
                self._recording.fail(self._current, ServerRestarted().message)
            else:
                self._recording.cancel(self._current, error.message)
        except AppError as error:
            self._fail(error)
        except Exception as error:
            log.error("query job failed", exception=error, job_id=self.job.id)
            self._recording.fail(self._current, INTERNAL)

    def _execute_rows(self, engine: Engine) -> Outcome:
        """Returns the outcome of the last one, which is recorded when the transaction has ended."""
        with self._transaction(engine):
            for row, following in itertools.pairwise(self._rows):
                self._current = row
                self._recording.complete(row, self._execute(engine, row), following)
            self._current = self._rows[-1]
            return self._execute(engine, self._current)

    def _check_variables(self, engine: Engine) -> None:
        """The first statement checks its variables itself, before it runs. Those of later ones are checked here, so
        that nothing has run if one was never set."""
        if self.job.dialect != "snowflake" or not any("$" in row.query for row in self._rows[1:]):
            return
        queries = [row.query for row in self._rows]
        unknown = engine.find_unknown_variable(self.job.session_id, queries, needs_session=self._has_session)
        if unknown:
            number, error = unknown
            self._current = self._rows[number]
            raise error

    def _fail(self, error: AppError) -> None:
        if isinstance(error, SessionGone | EngineStopped):
            self._recording.has_session_state = False
        message = self._context.stack.paths.hide(self._explain(error).message)
        self._recording.fail(self._current, message, error)

    def _explain(self, error: AppError) -> AppError:
        """The engine knows only what was left of the job's time."""
        is_over = self._deadline is not None and time.monotonic() >= self._deadline
        if self.job.timeout_seconds and is_over and isinstance(error, StatementTimedOut):
            return StatementTimedOut(self.job.timeout_seconds)
        return error

    def _execute(self, engine: Engine, row: StatementRow) -> Outcome:
        self._executing = str(row.id)
        try:
            outcome = engine.execute(self._to_statement(row.query, str(row.id)), self._find_tables)
        finally:
            self._executing = None
        self._has_session, self._recording.has_session_state = True, outcome.has_session_state
        return outcome

    @contextmanager
    def _transaction(self, engine: Engine) -> Generator[None]:
        """Around all statements, if the job asks for one. A single statement is one by itself."""
        if not self.job.is_transactional or len(self._rows) == 1:
            yield
            return
        self._control(engine, "BEGIN")
        try:
            yield
        except BaseException:
            with suppress(AppError):
                self._control(engine, "ROLLBACK", is_always=True)
            raise
        self._control(engine, "COMMIT")

    def _control(self, engine: Engine, sql: str, *, is_always: bool = False) -> None:
        statement = self._to_statement(sql, f"{self.job.id}-{sql.lower()}", is_always=is_always)
        outcome = engine.execute(msgspec.structs.replace(statement, dialect="duckdb"), self._find_tables)
        self._has_session, self._recording.has_session_state = True, outcome.has_session_state

    def _to_statement(self, sql: str, statement_id: str, *, is_always: bool = False) -> Statement:
        """Raises if the job was canceled or its time is over; not if `is_always`."""
        left = None if self._deadline is None or is_always else self._deadline - time.monotonic()
        if self.is_canceled and not is_always:
            raise StatementCanceled
        if left is not None and left <= 0:
            raise StatementTimedOut(self.job.timeout_seconds or 0)
        limits = [each for each in (left, self._context.workspace.statement_seconds) if each is not None]
        return Statement(
            id=statement_id,
            sql=sql,
            session_id=self.job.session_id,
            needs_session=self._has_session,
            dialect=self.job.dialect,
            timeout_seconds=min(limits, default=None),
            is_read_only=self._context.workspace.is_read_only or self._context.caller.only_reads,
        )

    def _open(self) -> Engine:
        return storage.open_engine(self._context.stack, self._context.workspace)

    @property
    def _find_tables(self) -> FindTables:
        context = self._context
        return lambda names: storage.find_table_links(context.stack, context.caller, context.workspace, names)
