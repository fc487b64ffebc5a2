"""Statements of one client, given to the engine of its workspace."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple
from uuid import uuid4

from penstock.foundation.callers import Caller
from penstock.foundation.errors import AppError, Forbidden, Unauthorized
from penstock.foundation.stack import Stack
from penstock.pgwire.errors import NO_LOGIN, ConnectionRefused
from penstock.pgwire.metering import Meter
from penstock.services.billing import interface as billing
from penstock.services.storage import interface as storage
from penstock.sql import EncodedRows, Engine, EngineStopped, Outcome, SessionGone, Statement

CANCEL_SECONDS, CANCEL_PAUSE = 5.0, 0.1


class Credentials(NamedTuple):
    user: str
    password: str


class Execution:
    """Blocks. Used by one thread at a time, but for cancel()."""

    def __init__(self, stack: Stack, credentials: Credentials) -> None:
        """Raises Unauthorized."""
        self._stack, self._credentials = stack, credentials
        self._caller, self.workspace = self._log_in()
        self._meter = Meter(stack, self._caller.project_id)
        self.session_id = f"sql-{uuid4().hex}"
        self._engine: Engine | None = None
        self.executing: Statement | None = None
        self._has_temporary = False
        """Whether its session has temporary tables or variables, which are lost with it."""
        self._numbers, self._free = itertools.count(1), list[str]()

    @property
    def project_id(self) -> int:
        return self._caller.project_id

    def run(
        self,
        sql: str,
        result_id: str,
        *,
        is_read_only: bool = False,
        seconds: float | None = None,
        needs_session: bool = False,
    ) -> Outcome:
        """One statement. The credentials are checked again: they may have been changed, and the workspace deleted.
        `needs_session`: it belongs to a transaction, without which it must not run."""
        self._check_login()
        engine = self._open()
        limits = [each for each in (seconds, self.workspace.statement_seconds) if each]
        statement = Statement(
            id=result_id,
            sql=sql,
            session_id=self.session_id,
            needs_session=needs_session or self._has_temporary,
            dialect="postgresql",
            timeout_seconds=min(limits, default=None),
            is_read_only=is_read_only or self.workspace.is_read_only,
        )
        self.executing = statement
        try:
            with self._meter.measuring():
                outcome = engine.execute(
                    statement, lambda names: storage.find_table_links(self._stack, self._caller, self.workspace, names)
                )
                self._meter.count_rows(outcome.number_of_rows + outcome.rows_affected)
                self._has_temporary = outcome.has_temporary
                return outcome
        except (SessionGone, EngineStopped):
            self._has_temporary = False
            raise
        finally:
            self.executing = None

    def read(self, result_id: str, offset: int, limit: int) -> list[list[str | None]]:
        """Rows of a result, as text of the engine."""
        return self._open().page(result_id, offset, limit).rows

    def read_encoded(self, result_id: str, offset: int, limit: int, formats: Sequence[bool]) -> EncodedRows:
        """Rows as messages to the client, encoded by the engine; none if it cannot."""
        return self._open().encoded_rows(result_id, offset, limit, formats)

    def require_open(self) -> None:
        """Raises if the engine has ended, and with it the transaction."""
        if not self._engine or not self._engine.is_open:
            raise EngineStopped

    def new_result_id(self) -> str:
        """One that no open portal uses. They are used again, so that a client leaves few results behind."""
        return self._free.pop() if self._free else f"{self.session_id}-{next(self._numbers)}"

    def free_result_id(self, result_id: str) -> None:
        self._free.append(result_id)

    def cancel(self) -> None:
        """Stop the statement that runs. Tried again for a while: the engine may not have it yet."""
        statement, until = self.executing, time.monotonic() + CANCEL_SECONDS
        # The same object, and not the same id: the next statement may use that again.
        while statement and self.executing is statement and time.monotonic() < until:
            # With a connection of its own: the other one is busy with the statement.
            with suppress(AppError), storage.open_engine(self._stack, self.workspace) as engine:
                if engine.cancel(statement.id):
                    return
            time.sleep(CANCEL_PAUSE)

    def close(self) -> None:
        """An engine that has ended is not started for this."""
        self._meter.charge()
        if self._engine:
            with suppress(AppError, OSError), self._engine as engine:
                engine.end_session(self.session_id)

    def end_session(self) -> None:
        """Drop temporary tables. An engine that has ended is not started for this."""
        self._has_temporary = False
        if self._engine and self._engine.is_open:
            self._engine.end_session(self.session_id)

    def _open(self) -> Engine:
        if self._engine and not self._engine.is_open:
            self._engine.close()
            self._engine = None
        self._engine = self._engine or storage.open_engine(self._stack, self.workspace)
        return self._engine

    def _check_login(self) -> None:
        """And that the project may use more."""
        try:
            self._caller, self.workspace = self._log_in()
        except (Unauthorized, Forbidden) as error:
            raise ConnectionRefused(NO_LOGIN, error.message) from error
        if self._caller.is_pay_as_you_go:
            with self._stack.database.reading() as tx:
                billing.check_credits(tx, self._stack, self._caller)

    def _log_in(self) -> tuple[Caller, storage.SqlWorkspace]:
        with self._stack.database.reading() as tx:
            return storage.log_in_to_workspace(tx, *self._credentials)
