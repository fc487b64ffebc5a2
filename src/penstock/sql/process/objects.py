"""The tables and views of the workspace itself: loaded, listed, dropped.

A clone is a view over links to files. It becomes a table when a statement is about to change it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb

from penstock.foundation.text.quoting import folded, name_list, quote_name, quote_value
from penstock.sql.errors import TableExists
from penstock.sql.messages import LoadTable, Setup
from penstock.sql.models import WorkspaceTable
from penstock.sql.process.definitions.catalog import CLONE
from penstock.sql.process.parsing import Parsed
from penstock.sql.process.results import to_column
from penstock.sql.process.sessions import Session

CLONE_FOLDER = re.compile(r"/clones/([0-9a-f]{32})/")


class Objects:
    """Of the own schema."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def load(self, cursor: duckdb.DuckDBPyConnection, load: LoadTable) -> int:
        with transaction(cursor):
            existing = self._find_kind(cursor, load.target)
            if load.id and self._find_comment(cursor, load.target) == _loaded(load):
                return self._count(cursor, load.target)
            if existing and not load.overwrite and not load.incremental:
                raise TableExists(load.target)
            if existing and load.incremental:
                return self._add(cursor, load)
            self._drop(cursor, load.target, existing)
            self._create(cursor, load)
        return self._count(cursor, load.target)

    def _count(self, cursor: duckdb.DuckDBPyConnection, name: str) -> int:
        return int(_one(cursor, f"SELECT count(*) FROM {self.address(name)}"))

    def _find_comment(self, cursor: duckdb.DuckDBPyConnection, name: str) -> str | None:
        query = "SELECT table_name, comment FROM duckdb_tables() WHERE database_name = ? AND schema_name = ?"
        rows = cursor.execute(query, [self._setup.database, self._setup.schema]).fetchall()
        return next((comment for each, comment in rows if folded(each) == folded(name)), None)

    def _create(self, cursor: duckdb.DuckDBPyConnection, load: LoadTable) -> None:
        address = self.address(load.target)
        kind = "TABLE" if load.mode == "copy" else "VIEW"
        cursor.execute(f"CREATE {kind} {address} AS {load.sql}")
        if load.mode == "clone":
            cursor.execute(f"COMMENT ON VIEW {address} IS {quote_value(CLONE)}")
        elif load.mode == "copy":
            self._mark(cursor, load)

    def _mark(self, cursor: duckdb.DuckDBPyConnection, load: LoadTable) -> None:
        """Record the load in its transaction, so that it is known whether it happened."""
        if load.id:
            cursor.execute(f"COMMENT ON TABLE {self.address(load.target)} IS {quote_value(_loaded(load))}")

    def _add(self, cursor: duckdb.DuckDBPyConnection, load: LoadTable) -> int:
        """Rows with the same primary key are replaced; of several, the last one wins."""
        self._copy_clone(cursor, load.target)
        self._mark(cursor, load)
        address, key = self.address(load.target), load.primary_key
        if not key:
            return int(_one(cursor, f"INSERT INTO {address} BY NAME {load.sql}"))
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE loaded_rows AS {load.sql}")
        same = " AND ".join(f"{address}.{quote_name(name)} = n.{quote_name(name)}" for name in key)
        cursor.execute(f"DELETE FROM {address} USING loaded_rows AS n WHERE {same}")
        last = f"QUALIFY row_number() OVER (PARTITION BY {name_list(key)} ORDER BY rowid DESC) = 1"
        added = int(_one(cursor, f"INSERT INTO {address} BY NAME SELECT * FROM loaded_rows {last}"))
        cursor.execute("DROP TABLE loaded_rows")
        return added

    def copy_changed_clone(self, session: Session, parsed: Parsed) -> None:
        """A clone that the statement changes becomes a table; one that it drops or replaces, an empty one."""
        if not parsed.target or not (parsed.changes_rows or parsed.changes_definitions):
            return
        is_empty = parsed.first_word in ("drop", "create", "truncate")
        if session.in_transaction:
            self._copy_clone(session.cursor, parsed.target, is_empty=is_empty)
        elif self._find_clone(session.cursor, parsed.target):
            with transaction(session.cursor):
                self._copy_clone(session.cursor, parsed.target, is_empty=is_empty)

    def _copy_clone(self, cursor: duckdb.DuckDBPyConnection, name: str, *, is_empty: bool = False) -> None:
        if name := self._find_clone(cursor, name):
            address, new = self.address(name), f"{name} (copy)"
            limit = " LIMIT 0" if is_empty else ""
            cursor.execute(f"CREATE TABLE {self.address(new)} AS SELECT * FROM {address}{limit}")
            cursor.execute(f"DROP VIEW {address}")
            cursor.execute(f"ALTER TABLE {self.address(new)} RENAME TO {quote_name(name)}")

    def _find_clone(self, cursor: duckdb.DuckDBPyConnection, name: str) -> str:
        return next((each for each in self._list_clones(cursor) if folded(each) == folded(name)), "")

    def _list_clones(self, cursor: duckdb.DuckDBPyConnection) -> list[str]:
        query = "SELECT view_name FROM duckdb_views() WHERE database_name = ? AND schema_name = ? AND comment = ?"
        return [row[0] for row in cursor.execute(query, [self._setup.database, self._setup.schema, CLONE]).fetchall()]

    def list_clone_folders(self, cursor: duckdb.DuckDBPyConnection) -> Sequence[str]:
        """Whatever reads them: also a view that is a clone no more."""
        query = "SELECT sql FROM duckdb_views() WHERE database_name = ? AND schema_name = ?"
        texts = cursor.execute(query, [self._setup.database, self._setup.schema]).fetchall()
        return sorted({name for (text,) in texts for name in CLONE_FOLDER.findall(text or "")})

    def list(self, cursor: duckdb.DuckDBPyConnection) -> list[WorkspaceTable]:
        clones = {folded(name) for name in self._list_clones(cursor)}
        found: dict[str, WorkspaceTable] = {}
        for name, kind, column, type_, nullable in self._read_columns(cursor):
            is_view = kind == "VIEW" and folded(name) not in clones
            table = found.setdefault(name, WorkspaceTable(name=name, is_view=is_view, columns=[]))
            table.columns.append(to_column(column, type_, nullable=nullable == "YES"))
        return list(found.values())

    def _read_columns(self, cursor: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        return cursor.execute(
            "SELECT t.table_name, t.table_type, c.column_name, c.data_type, c.is_nullable "
            "FROM information_schema.tables AS t JOIN information_schema.columns AS c "
            "USING (table_catalog, table_schema, table_name) "
            "WHERE t.table_catalog = ? AND t.table_schema = ? ORDER BY t.table_name, c.ordinal_position",
            [self._setup.database, self._setup.schema],
        ).fetchall()

    def drop(self, cursor: duckdb.DuckDBPyConnection, names: list[str] | None) -> bool:
        wanted = None if names is None else {folded(name) for name in names}
        with transaction(cursor):
            for name, kind in self._list_kinds(cursor):
                if wanted is None or folded(name) in wanted:
                    self._drop(cursor, name, kind)
        return True

    def _drop(self, cursor: duckdb.DuckDBPyConnection, name: str, kind: str) -> None:
        if kind:
            cursor.execute(f"DROP {'VIEW' if kind == 'VIEW' else 'TABLE'} {self.address(name)}")

    def _find_kind(self, cursor: duckdb.DuckDBPyConnection, name: str) -> str:
        found = {folded(each): kind for each, kind in self._list_kinds(cursor)}
        return found.get(folded(name), "")

    def _list_kinds(self, cursor: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
        query = (
            "SELECT table_name, table_type FROM information_schema.tables WHERE table_catalog = ? AND table_schema = ?"
        )
        return cursor.execute(query, [self._setup.database, self._setup.schema]).fetchall()

    def address(self, name: str) -> str:
        return f"{quote_name(self._setup.database)}.{quote_name(self._setup.schema)}.{quote_name(name)}"


@contextmanager
def transaction(cursor: duckdb.DuckDBPyConnection) -> Generator[None]:
    cursor.execute("BEGIN TRANSACTION")
    try:
        yield
    except BaseException:
        cursor.execute("ROLLBACK")
        raise
    cursor.execute("COMMIT")


def _loaded(load: LoadTable) -> str:
    """The comment of a table by which its last load is known."""
    return f"Loaded from a project table ({load.id})."


def _one(cursor: duckdb.DuckDBPyConnection, sql: str) -> Any:
    return cursor.execute(sql).fetchall()[0][0]
