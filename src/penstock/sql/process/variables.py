"""Variables of a session, and statements that read one which was never set."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from penstock.sql.dialect import SqlError, UnknownVariable, check_variables
from penstock.sql.messages import Refused
from penstock.sql.process.failures import of_dialect, to_message


def check_statement(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raises SqlError. In a transaction that failed the variables cannot be read, and nothing runs but ROLLBACK."""
    defined = _read_variables(cursor) if "$" in sql else None
    if defined is not None:
        check_variables(sql, defined)


def find_refused(cursor: duckdb.DuckDBPyConnection, statements: Sequence[str]) -> list[Refused]:
    """The first statement that reads an unknown variable, if none before it fails for another reason."""
    defined = _read_variables(cursor)
    for number, sql in enumerate(statements if defined is not None else ()):
        try:
            defined = check_variables(sql, defined or frozenset())
        except UnknownVariable as error:
            return [Refused(number, to_message(of_dialect(error)))]
        except SqlError:  # it says so when it runs, and no statement runs after it
            break
    return []


def _read_variables(cursor: duckdb.DuckDBPyConnection) -> frozenset[str] | None:
    """Return their names, which have no case; None if they cannot be read."""
    try:
        rows = cursor.execute("SELECT name FROM duckdb_variables()").fetchall()
    except duckdb.Error:
        return None
    return frozenset(name.upper() for (name,) in rows)
