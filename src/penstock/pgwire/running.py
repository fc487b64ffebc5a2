"""Runs statements of a client in their order, within its transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from penstock.foundation.errors import AppError
from penstock.pgwire import responses
from penstock.pgwire.commands import Client, CommandResult, run_command
from penstock.pgwire.copy.receiving import CopyIn
from penstock.pgwire.copy.statement import Copy, parse_copy
from penstock.pgwire.cursors import parse_declaration
from penstock.pgwire.descriptions import EXPLAINED, find_query, is_listing
from penstock.pgwire.errors import FAILED_TRANSACTION, LIMIT, SYNTAX, UNSUPPORTED, ClientError, to_client_error
from penstock.pgwire.execution import Execution
from penstock.pgwire.open_statements import OpenStatements
from penstock.pgwire.responses import Field
from penstock.pgwire.results import Result, to_tag
from penstock.pgwire.settings import Settings
from penstock.pgwire.statements import CHANGES, Statement, split_query
from penstock.pgwire.types import TEXT, to_field
from penstock.sql import Outcome, ResultColumn

IDLE, OPEN, FAILED = "I", "T", "E"
"""States of a transaction: there is none; it is open; it has failed, and only ROLLBACK ends it."""
MAX_COLUMNS = 65_535
"""As many as the protocol can count."""
_BEGIN, _COMMIT, _ROLLBACK = ("begin", "start"), ("commit", "end"), ("rollback", "abort")
_SAVEPOINTS = ("savepoint", "release")
"""Accepted, since many programs set one and never need it; rolling back to one is an error."""

_CURSORS = ("declare", "fetch", "move", "close")
_CHANGE_SETTINGS = ("SET", "RESET", "DISCARD ALL")


class Runner:
    """Blocks."""

    def __init__(self, execution: Execution, settings: Settings, open_statements: OpenStatements) -> None:
        self._execution, self._settings = execution, settings
        self._open_statements = open_statements
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
        if first in _CURSORS:
            return self._use_cursor(first, sql)
        return (
            self._run_command(statement)
            or self._copy(statement, sql, result_id)
            or self._execute(statement, sql, result_id)
        )

    def _run_command(self, statement: Statement) -> Result | None:
        if statement.first_word == "discard" and self.status == OPEN:
            raise ClientError("25001", "DISCARD cannot run in a transaction: end it first.")
        done = run_command(statement.words, self._client)
        return self._to_result(done) if done else None

    def _use_cursor(self, first: str, sql: str) -> Result:
        cursors = self._open_statements.cursors
        if first == "close":
            return cursors.close(sql)
        if first != "declare":
            return cursors.fetch(sql)
        declaration = parse_declaration(sql, in_transaction=self.status == OPEN)
        query = next(split_query(declaration.query), None)
        if query is None or find_query(query, query.text) is None or query.main_words[0] in CHANGES:
            raise ClientError(SYNTAX, "A cursor is declared for a query: SELECT, WITH or VALUES.")
        declaration.check_transaction()
        try:
            return cursors.declare(declaration, lambda result_id: self._execute(query, query.text, result_id))
        except ClientError as error:
            if error.position is not None:
                error.position += declaration.start + query.start
            raise

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
        """Record that a statement failed."""
        self.end_copy(is_done=False)
        if self.status == OPEN:
            self.status = FAILED

    def describe(self, statement: Statement, sql: str) -> list[Field] | None:
        """The columns that it would return; None if it returns no rows."""
        if statement.first_word == "explain":
            return EXPLAINED
        if statement.first_word == "fetch":
            return self._open_statements.cursors.find_fetched(sql).result.fields
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
        return to_fields([ResultColumn(name or "", kind or "") for name, kind, *_ in rows])

    def _execute(self, statement: Statement, sql: str, result_id: str) -> Result:
        outcome = self._run(sql, result_id)
        tag = to_tag(statement.main_words, outcome.number_of_rows, outcome.rows_affected, bool(outcome.columns))
        if not outcome.columns:
            return Result(tag)
        return Result(
            tag,
            to_fields(outcome.columns),
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
            self._open_statements.cursors.end_transaction(is_committed=tag == "COMMIT")
        except ClientError:
            self._open_statements.cursors.end_transaction(is_committed=False)
            raise
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


def to_fields(columns: Sequence[ResultColumn]) -> list[Field]:
    if len(columns) > MAX_COLUMNS:
        raise ClientError(LIMIT, f"A result has at most {MAX_COLUMNS} columns.")
    return [to_field(each) for each in columns]
