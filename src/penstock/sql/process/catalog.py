"""Views of project tables, and the rule that statements change only the workspace's own schema.

The database has no permissions for schemas. So what lies outside of the own one is compared before and after a
statement that changes definitions, in its transaction, which is rolled back if there is a difference.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import duckdb

from penstock.foundation.text.quoting import folded, quote_name
from penstock.sql.errors import StatementFailed
from penstock.sql.messages import Setup, TableView
from penstock.sql.process.sessions import Session

_ATTEMPTS, _PAUSE_SECONDS = 5, 0.01
_FOREIGN = """
    SELECT 'schema', schema_name, '' FROM duckdb_schemas() WHERE database_name = $database AND NOT internal
    UNION ALL SELECT 'table', schema_name, table_name FROM duckdb_tables()
        WHERE database_name = $database AND schema_name <> $schema
    UNION ALL SELECT 'view', schema_name, view_name || coalesce(sql, '') FROM duckdb_views()
        WHERE database_name = $database AND schema_name <> $schema AND NOT internal
    UNION ALL SELECT 'sequence', schema_name, sequence_name FROM duckdb_sequences()
        WHERE database_name = $database AND schema_name <> $schema
    UNION ALL SELECT 'type', schema_name, type_name FROM duckdb_types()
        WHERE database_name = $database AND schema_name <> $schema AND NOT internal
    ORDER BY ALL
"""


class Catalog:
    """The definitions in the database of the workspace."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._known: dict[tuple[str, str], str] = {}
        """The views of project tables that are committed."""
        self._own_views: dict[str, str] | None = None
        self._adding = threading.Lock()

    @property
    def is_empty(self) -> bool:
        """Whether no view of a project table was made since the process began."""
        return not self._known

    def note_begin(self, session: Session) -> None:
        """Call before a transaction begins: it sees what is committed."""
        session.views, session.new_views = dict(self._known), {}

    def note_commit(self, session: Session) -> None:
        self._known.update(session.new_views)

    def add_views(self, session: Session, views: Sequence[TableView]) -> None:
        """Create or renew views of project tables. A transaction makes only those that it does not see: two that make
        the same one conflict."""
        if session.in_transaction:
            for view in views:
                self._add_in_transaction(session, view)
        elif not all(map(self._is_known, views)):
            # One session at a time: two that create the same schema conflict, and one of them would fail.
            with self._adding:
                for view in views:
                    self._add(session.cursor, view)

    def _is_known(self, view: TableView) -> bool:
        return self._known.get((view.schema, view.name)) == view.sql

    def _add(self, cursor: duckdb.DuckDBPyConnection, view: TableView) -> None:
        if not self._is_known(view):
            self._create(cursor, view)
            self._known[view.schema, view.name] = view.sql

    def _add_in_transaction(self, session: Session, view: TableView) -> None:
        name = (view.schema, view.name)
        if view.sql not in (session.views.get(name), session.new_views.get(name)):
            self._create(session.cursor, view)
            session.new_views[name] = view.sql

    def read_own_views(self, session: Session) -> dict[str, str]:
        """The texts of the workspace's own views, by their names. In a transaction they are read again."""
        if session.in_transaction:
            return self._read_own_views(session.cursor)
        if self._own_views is None:
            self._own_views = self._read_own_views(session.cursor)
        return self._own_views

    def forget_own_views(self) -> None:
        """Call after any definition has changed."""
        self._own_views = None

    def _read_own_views(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, str]:
        query = "SELECT view_name, sql FROM duckdb_views() WHERE database_name = ? AND schema_name = ?"
        rows = cursor.execute(query, [self._setup.database, self._setup.schema]).fetchall()
        return {folded(name): sql for name, sql in rows}

    def _create(self, cursor: duckdb.DuckDBPyConnection, view: TableView) -> None:
        schema = f"{quote_name(self._setup.database)}.{quote_name(view.schema)}"
        for attempt in range(_ATTEMPTS):
            try:
                cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
                cursor.execute(f"CREATE OR REPLACE VIEW {schema}.{quote_name(view.name)} AS {view.sql}")
                return
            except duckdb.TransactionException:  # a transaction of another session makes the same one
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(_PAUSE_SECONDS * 2**attempt)

    @contextmanager
    def only_own_schema(self, session: Session) -> Generator[None]:
        """A transaction that changes nothing outside of the own schema."""
        cursor, is_outer = session.cursor, session.in_transaction
        if not is_outer:
            cursor.execute("BEGIN TRANSACTION")
        try:
            before = self._list_foreign(cursor)
            yield
            if self._list_foreign(cursor) != before:
                raise self._refusal()
        except BaseException:
            cursor.execute("ROLLBACK")
            session.in_transaction = False
            raise
        finally:
            self.forget_own_views()
        if not is_outer:
            cursor.execute("COMMIT")
            self.forget_own_views()

    def _list_foreign(self, cursor: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str]]:
        return cursor.execute(_FOREIGN, {"database": self._setup.database, "schema": self._setup.schema}).fetchall()

    def _refusal(self) -> StatementFailed:
        return StatementFailed(
            f'Only the schema "{self._setup.schema}" of the workspace can be changed. Buckets of the project are '
            "read-only: create the table in the workspace, and load it into Storage from there."
        )
