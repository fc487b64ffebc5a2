"""The database of a transformation: a separate file, locked down before a user's script runs.

SQL can read files, connect to hosts and load code. So nothing outside `in/` and `out/` can be opened, no extension can
be loaded, Python's variables are not visible as tables, and none of these settings can be changed back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from penstock.components.scripts import Script
from penstock.extractor.base.errors import UserError
from penstock.foundation.text.quoting import quote_name, quote_value

MEMORY_VARIABLE = "PENSTOCK_MEMORY_MEGABYTES"
DEFAULT_MEGABYTES = 2048
SHARE = 0.7
"""Share of the job's memory limit: the rest is for the interpreter and memory that the engine does not count."""
SCRATCH = ".duckdb"
Explain = Callable[[str, str], str]
"""Words the engine's error about a text of a script."""


@contextmanager
def open_engine(folder: Path, preparation: Sequence[str] = ()) -> Generator[duckdb.DuckDBPyConnection]:
    """`preparation` is SQL that runs before the settings are locked."""
    scratch = folder / SCRATCH
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(mode=0o700)
    try:
        with duckdb.connect(str(scratch / "work.duckdb"), config=_settings(scratch)) as connection:
            for statement in preparation:
                connection.execute(statement)
            _lock(connection, folder)
            yield connection
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


class Engine:
    """Runs SQL; errors of the engine are for the user to fix."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, explain: Explain | None = None) -> None:
        self._connection, self._explain = connection, explain

    def run(self, sql: str | duckdb.Statement, doing: str) -> duckdb.DuckDBPyConnection:
        try:
            return self._connection.execute(sql)
        except (duckdb.Error, UnicodeError) as error:
            raise UserError(f"{doing} failed: {error}") from error

    def run_script(self, script: Script) -> None:
        """Runs the script statement by statement; the error names the one that failed, by its number in the script."""
        number = 0
        for text in script.texts:
            for statement in self._split(text, script.location):
                number += 1
                self._run_statement(statement, text, f"Statement {number} of {script.location}")

    def _run_statement(self, statement: duckdb.Statement, text: str, doing: str) -> None:
        try:
            self._connection.execute(statement)
        except (duckdb.Error, UnicodeError) as error:
            message = self._explain(str(error), text) if self._explain else str(error)
            raise UserError(f"{doing} failed: {message}") from error

    def has_table(self, name: str) -> bool:
        # Not bound: to bind a value, DuckDB's library imports pandas and pyarrow if they are installed.
        has_name = f"lower(table_name) = lower({quote_value(name)})"
        query = f"SELECT 1 FROM information_schema.tables WHERE {has_name} LIMIT 1"
        return bool(self._connection.execute(query).fetchall())

    def types_of(self, name: str, doing: str) -> dict[str, str]:
        """Returns the columns of the table or view that a query by this name uses, even if other schemas have
        others."""
        described = self.run(f"DESCRIBE SELECT * FROM {quote_name(name)}", doing)
        return {row[0]: row[1] for row in described.fetchall()}

    def _split(self, text: str, location: str) -> list[duckdb.Statement]:
        if "\0" in text:  # the engine would treat it as the end, and ignore the rest
            raise UserError(f"The SQL of {location} cannot be read: it contains the character U+0000.")
        try:
            return self._connection.extract_statements(text)
        except (duckdb.Error, UnicodeError) as error:
            raise UserError(f"The SQL of {location} cannot be read: {error}") from error


def _settings(scratch: Path) -> dict[str, str | bool | int | float | list[str]]:
    return {
        "temp_directory": str(scratch),
        "memory_limit": f"{_read_megabytes() * SHARE:.0f}MiB",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "python_enable_replacements": False,
    }


def _read_megabytes() -> int:
    megabytes = os.environ.get(MEMORY_VARIABLE, "")
    return int(megabytes) if megabytes.isascii() and megabytes.isdecimal() and int(megabytes) else DEFAULT_MEGABYTES


def _lock(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    places = ", ".join(quote_value(f"{folder / name}{os.sep}") for name in ("in", "out"))
    connection.execute(f"SET allowed_directories = [{places}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
