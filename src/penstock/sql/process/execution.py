"""A statement, from its text to its result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import duckdb
import msgspec

from penstock.sql.errors import StatementFailed
from penstock.sql.messages import Setup, TableView
from penstock.sql.models import Names, Outcome, Statement
from penstock.sql.process import results
from penstock.sql.process.catalog import Catalog
from penstock.sql.process.failures import of_statement
from penstock.sql.process.names import find_names
from penstock.sql.process.objects import Objects
from penstock.sql.process.parsing import Parsed, parse
from penstock.sql.process.running import Running, RunningStatements
from penstock.sql.process.sessions import Session, Sessions

FindViews = Callable[[Names], Sequence[TableView]]
_BEGIN, _COMMIT = ("begin", "start"), ("commit", "end")
_NOT_NESTED = ("show", "describe", "desc", "summarize", "pragma", "pivot", "unpivot")
"""Queries that cannot be written in parentheses."""
_HAS_TEMPORARY = """SELECT EXISTS (FROM duckdb_tables() WHERE temporary AND NOT internal)
    OR EXISTS (FROM duckdb_views() WHERE temporary AND NOT internal) OR EXISTS (FROM duckdb_variables())"""


class Executor:
    """Runs statements of users. Thread-safe."""

    def __init__(self, setup: Setup, sessions: Sessions, running: RunningStatements, catalog: Catalog) -> None:
        self._setup, self._sessions, self._running, self._catalog = setup, sessions, running, catalog
        self._objects = Objects(setup)

    def execute(self, statement: Statement, find_views: FindViews) -> Outcome:
        results.rows_file(statement.id)
        limit = self._setup.limits.statement_seconds
        seconds = min(statement.timeout_seconds or limit, limit)
        with (
            self._sessions.use(statement.session_id, seconds, is_expected=statement.needs_session) as session,
            self._running.add(statement.id, session.cursor, seconds) as running,
        ):
            parsed = parse(session.cursor, statement)
            with of_statement(statement, parsed.text):
                if parsed.type != "TRANSACTION":  # ROLLBACK has to work where no query does any more
                    self._add_views(session, parsed, find_views)
                elif parsed.first_word in _BEGIN and not session.in_transaction:
                    self._prepare_transaction(session, statement, find_views)
                running.check()
                outcome = self._run(session, statement, parsed, running)
                _note_temporary(session, parsed)
                state = {"in_transaction": session.in_transaction, "has_temporary": session.has_temporary}
                return msgspec.structs.replace(outcome, **state)

    def _add_views(self, session: Session, parsed: Parsed, find_views: FindViews) -> None:
        names = find_names(parsed, self._setup, self._catalog.read_own_views(session))
        if names.all or names.tables:
            self._catalog.add_views(session, find_views(names))

    def _prepare_transaction(self, session: Session, statement: Statement, find_views: FindViews) -> None:
        """Programs of PostgreSQL list tables in transactions, several at a time, and two that make the same view
        conflict: so the first one finds all views made."""
        if statement.dialect == "postgresql" and self._catalog.is_empty:
            self._catalog.add_views(session, find_views(Names(all=True)))
        self._catalog.note_begin(session)

    def _run(self, session: Session, statement: Statement, parsed: Parsed, running: Running) -> Outcome:
        if parsed.type == "TRANSACTION":
            outcome = _change_transaction(session, statement, parsed)
            if parsed.first_word in _COMMIT:
                self._catalog.note_commit(session)
            return outcome
        if statement.is_read_only:
            _check_reads(session, parsed)
            with _read_only(session):
                return _run(session.cursor, statement.id, parsed, running)
        self._objects.copy_changed_clone(session, parsed)
        if parsed.changes_definitions:
            with self._catalog.only_own_schema(session):
                return _run(session.cursor, statement.id, parsed, running)
        return _run(session.cursor, statement.id, parsed, running)


def _run(cursor: duckdb.DuckDBPyConnection, statement_id: str, parsed: Parsed, running: Running) -> Outcome:
    if parsed.is_query and len(parsed.statements) == 1 and parsed.first_word not in _NOT_NESTED:
        return results.write_query(cursor, statement_id, parsed.bare_text)
    *before, last = parsed.statements
    for each in before:
        running.check()
        cursor.execute(each)
    running.check()
    if parsed.returns_rows:
        return results.write_rows(cursor, statement_id, cursor.sql(last))
    cursor.execute(last)
    return results.write_outcome(statement_id, _count(cursor, parsed))


def _count(cursor: duckdb.DuckDBPyConnection, parsed: Parsed) -> Outcome:
    rows = cursor.fetchall() if cursor.description else []
    is_count = bool(rows) and [column[0] for column in cursor.description or []] == ["Count"]
    if parsed.changes_rows or is_count:
        affected = int(rows[0][0]) if rows else 0
        return Outcome(rows_affected=affected, message=f"{affected} row{'' if affected == 1 else 's'} affected")
    return Outcome(message="Statement executed successfully.")


def _note_temporary(session: Session, parsed: Parsed) -> None:
    if parsed.may_change_session:
        [(session.has_temporary,)] = session.cursor.execute(_HAS_TEMPORARY).fetchall()


def _change_transaction(session: Session, statement: Statement, parsed: Parsed) -> Outcome:
    if statement.is_read_only:
        _check_not_writing(session)
    if parsed.first_word in _BEGIN:
        session.cursor.execute("BEGIN TRANSACTION READ ONLY" if statement.is_read_only else "BEGIN TRANSACTION")
        session.in_transaction, session.is_read_only = True, statement.is_read_only
    else:
        session.in_transaction = False
        session.cursor.execute(parsed.text)
    return results.write_outcome(statement.id, Outcome(message="Statement executed successfully."))


@contextmanager
def _read_only(session: Session) -> Generator[None]:
    """The database itself refuses changes in such a transaction."""
    _check_not_writing(session)
    if session.in_transaction:
        yield
        return
    session.cursor.execute("BEGIN TRANSACTION READ ONLY")
    try:
        yield
    finally:
        session.cursor.execute("ROLLBACK")


def _check_reads(session: Session, parsed: Parsed) -> None:
    """The database lets temporary tables change in a read-only transaction, and would forget them with its end."""
    if not session.in_transaction and (parsed.changes_definitions or parsed.changes_rows):
        raise StatementFailed(
            "SQL is read-only here: the statement would change a table or a view. Write a query with WITH instead; "
            "temporary tables are available in a transaction (BEGIN)."
        )


def _check_not_writing(session: Session) -> None:
    """A statement that only reads neither sees nor ends a transaction that may write."""
    if session.in_transaction and not session.is_read_only:
        raise StatementFailed("The session has an open transaction that may write. Commit it, or use another session.")
