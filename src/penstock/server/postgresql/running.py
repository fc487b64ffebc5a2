"""Runs statements of a client in their order, within its transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from penstock.foundation.errors import AppError
from penstock.server.postgresql import responses
from penstock.server.postgresql.commands import Client, CommandResult, run_command
from penstock.server.postgresql.copy.receiving import CopyIn
from penstock.server.postgresql.copy.statement import Copy, parse_copy
from penstock.server.postgresql.descriptions import EXPLAINED, find_query, is_listing
from penstock.server.postgresql.errors import FAILED_TRANSACTION, LIMIT, UNSUPPORTED, ClientError, to_client_error
from penstock.server.postgresql.execution import Execution
from penstock.server.postgresql.open_statements import OpenStatements
from penstock.server.postgresql.responses import Field
from penstock.server.postgresql.results import Result, to_tag
from penstock.server.postgresql.settings import Settings
from penstock.server.postgresql.statements import Statement
from penstock.server.postgresql.types import TEXT, to_field
from penstock.sql import Outcome, ResultColumn

IDLE, OPEN, FAILED = "I", "T", "E"
"""States of a transaction: there is none; it is open; it has failed, and only ROLLBACK ends it."""
MAX_COLUMNS = 65_535
"""As many as the protocol can count."""
_BEGIN, _COMMIT, _ROLLBACK = ("begin", "start"), ("commit", "end"), ("rollback", "abort")
_SAVEPOINTS = ("savepoint", "release")
"""Accepted, since many programs set one and never need it; rolling back to one is an error."""

_CHANGE_SETTINGS = ("SET", "RESET", "DISCARD ALL")


class Runner:
    """Blocks."""

    def __init__(self, execution: Execution, settings: Settings, open_statements: OpenStatements) -> None:
        self._execution, self._settings = execution, settings
        self._client = Client(settings, open_statements, execution)
        self.status = IDLE
        self._is_read_only = False
        """Whether the open transaction is."""
        self._is_copying = False
        """Whether the open transaction is that of a COPY."""

    def run(self, statement: Statement, sql: str, result_id: str) -> Result:
        """`sql` is the statement with its values."""
        first = statement.first_word
        if first in _ROLLBACK and "to" in statement.words:
            raise ClientError(UNSUPPORTED, "A part of a transaction cannot be rolled back: there is only ROLLBACK.")
        if first in _COMMIT or first in _ROLLBACK:
            return self._end(first, result_id)
        if self.status == FAILED:
            raise ClientError(FAILED_TRANSACTION, "The transaction has failed: nothing runs in it but ROLLBACK.")
        if first in _BEGIN:
            return self._begin(statement.words, result_id)
        if first in _SAVEPOINTS:
            return Result(first.upper())
        if first == "discard" and self.status == OPEN:
            raise ClientError("25001", "DISCARD cannot run in a transaction: end it first.")
        if done := run_command(statement.words, self._client):
            return self._to_result(done)
        return self._copy(statement, sql, result_id) or self._execute(statement, sql, result_id)

    def _copy(self, statement: Statement, sql: str, result_id: str) -> Result | None:
        copy = parse_copy(statement, sql)
        if not copy:
            return None
        result = Result("COPY") if copy.is_from_client else self._execute(statement, copy.query, result_id)
        result.copy = copy
        return result

    def start_copy(self, copy: Copy) -> CopyIn:
        """Data of the client is a statement: without a transaction it has its own."""
        result_id = self._execution.new_result_id()
        try:
            fields = self._describe_query(copy.query, result_id)
            if self.status == IDLE:
                self._begin(("begin",), result_id)
                self._is_copying = True
        finally:
            self._execution.free_result_id(result_id)
        return CopyIn(copy, fields, self._insert)

    def _insert(self, sql: str) -> None:
        result_id = self._execution.new_result_id()
        try:
            self._run(sql, result_id)
        finally:
            self._execution.free_result_id(result_id)

    def end_copy(self, *, is_done: bool = True) -> None:
        if self._is_copying:
            self._is_copying = False
            self._end("commit" if is_done else "rollback", self._execution.new_result_id())

    def fail(self) -> None:
        """After an error."""
        self.end_copy(is_done=False)
        if self.status == OPEN:
            self.status = FAILED

    def describe(self, statement: Statement, sql: str) -> list[Field] | None:
        """The columns that it would return; None if it returns no rows."""
        if statement.first_word == "explain":
            return EXPLAINED
        shown = run_command(statement.words, self._client) if statement.first_word == "show" else None
        if shown:
            return [Field(name, TEXT, -1) for name in shown.columns]
        query = find_query(statement, sql)
        if query is None and not is_listing(statement):
            return None
        result_id = self._execution.new_result_id()
        try:
            return self._find_fields(statement, query, sql, result_id)
        finally:
            self._execution.free_result_id(result_id)

    def _find_fields(self, statement: Statement, query: str | None, sql: str, result_id: str) -> list[Field] | None:
        if query is None:
            return self._execute(statement, sql, result_id).fields
        return self._describe_query(query, result_id)

    def _describe_query(self, query: str, result_id: str) -> list[Field]:
        self._run(f"DESCRIBE {query}", result_id)
        rows = self._execution.read(result_id, 0, MAX_COLUMNS + 1)
        return _to_fields([ResultColumn(name or "", kind or "") for name, kind, *_ in rows])

    def _execute(self, statement: Statement, sql: str, result_id: str) -> Result:
        outcome = self._run(sql, result_id)
        tag = to_tag(statement.main_words, outcome.number_of_rows, outcome.rows_affected, bool(outcome.columns))
        if not outcome.columns:
            return Result(tag)
        return Result(
            tag,
            _to_fields(outcome.columns),
            outcome.number_of_rows,
            lambda offset, limit: self._execution.read(result_id, offset, limit),
            read_encoded=partial(self._execution.read_encoded, result_id),
        )

    def _run(self, sql: str, result_id: str, *, is_read_only: bool | None = None) -> Outcome:
        if is_read_only is None:
            is_read_only = self._settings.is_read_only if self.status == IDLE else self._is_read_only
        try:
            if self.status != IDLE:
                self._execution.require_open()
            return self._execution.run(
                sql,
                result_id,
                is_read_only=is_read_only,
                seconds=self._settings.timeout_seconds,
                needs_session=self.status != IDLE,
            )
        except AppError as error:
            raise to_client_error(error, sql) from error

    def _begin(self, words: Sequence[str], result_id: str) -> Result:
        if self.status == OPEN:
            return Result("BEGIN", notices=responses.notice("25001", "There is a transaction in progress already."))
        is_read_only = "only" in words or (self._settings.is_read_only and "write" not in words)
        self._run("BEGIN", result_id, is_read_only=is_read_only)
        self.status, self._is_read_only = OPEN, is_read_only
        return Result("BEGIN")

    def _end(self, first: str, result_id: str) -> Result:
        tag = "COMMIT" if first in _COMMIT and self.status != FAILED else "ROLLBACK"
        if self.status == IDLE:
            return Result(tag, notices=responses.notice("25P01", "There is no transaction in progress."))
        try:
            if tag == "COMMIT":
                self._run("COMMIT", result_id)
            else:
                # It may have ended already, with the error that failed it or with its engine.
                with suppress(ClientError):
                    self._run("ROLLBACK", result_id)
        finally:
            self.status = IDLE
        return Result(tag)

    def _to_result(self, done: CommandResult) -> Result:
        notices = responses.notice("01000", done.warning) if done.warning else b""
        if done.tag in _CHANGE_SETTINGS:
            notices += responses.parameter_status("application_name", self._settings.get("application_name"))
        if not done.columns:
            return Result(done.tag, notices=notices)
        fields = [Field(name, TEXT, -1) for name in done.columns]
        rows = done.rows
        return Result(done.tag, fields, len(rows), lambda offset, limit: rows[offset : offset + limit], notices)


def _to_fields(columns: Sequence[ResultColumn]) -> list[Field]:
    if len(columns) > MAX_COLUMNS:
        raise ClientError(LIMIT, f"A result has at most {MAX_COLUMNS} columns.")
    return [to_field(each) for each in columns]
