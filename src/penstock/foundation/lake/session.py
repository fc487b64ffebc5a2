"""A connection to the catalog of one table, and its commits."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from penstock.foundation.files import durable, locks
from penstock.foundation.interruption import Interruption
from penstock.foundation.lake.attachments import Attachment
from penstock.foundation.lake.catalogs import SCHEMA
from penstock.foundation.text.quoting import quote_value

_KINDS = ("data", "delete")
_WIDE, _WIDE_MEMORY = 50, "3GB"
"""Memory limit above a number of columns. It is never reduced: another thread may use a wide table too."""


class Session:
    """Not thread-safe. Values are quoted, never bound: to bind the first value of a process, DuckDB's Python library
    imports pandas and pyarrow if they are installed, which takes half a second."""

    def __init__(
        self, duck: duckdb.DuckDBPyConnection, attachment: Attachment, relation: str, work: Interruption
    ) -> None:
        self.work = work
        """The interruption of the work; it may be stopped until something is committed."""
        self.duck, self.home, self.catalog, self.relation = duck, attachment.home, attachment.name, relation
        self.address = f"{self.catalog}.{SCHEMA}.{relation}"
        self.metadata = f"__ducklake_metadata_{self.catalog}"
        """Where DuckLake exposes its metadata tables."""
        self.folder = self.home.data_folder(relation)
        self.staging = self.home.staging_folder(relation)
        self.has_committed = False
        self.version: int | None = None
        """Of the catalog after the last commit, if it was read since then."""

    def make_room(self, width: int) -> None:
        """The engine reserves memory for each column that it reads or writes, most of which it never uses."""
        if width > _WIDE:
            self.allow_more_memory()

    def allow_more_memory(self) -> None:
        self.duck.execute(f"SET GLOBAL memory_limit = '{_WIDE_MEMORY}'")

    def execute(self, sql: str) -> duckdb.DuckDBPyConnection:
        self.work.check()
        return self.duck.execute(sql)

    def one(self, sql: str) -> tuple[Any, ...]:
        self.work.check()
        # Fetch all of the result: a statement whose result is not read to its end is not committed.
        return self.duck.execute(sql).fetchall()[0]

    @contextmanager
    def commit(self, mark: str | None = None, note: object = "") -> Generator[None]:
        """Everything in the block is committed atomically, under the catalog's lock.

        The mark is stored in the commit, so that a repetition finds that the work was done, together with the note.
        Files that the engine wrote are synced before, and removed if the commit fails: it does neither itself.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with locks.exclusive(self.home.commit_lock):
            before = _names_in(self.folder)
            try:
                with self._transaction():
                    yield
                    if mark is not None:
                        self._leave_mark(mark, note)
                    _sync(self._new_files(before))
                    self.work.shield()
                self.has_committed, self.version = True, None
            except Exception:
                # An error of the commit does not mean that nothing was committed, so check the catalog.
                with suppress(duckdb.Error):
                    self.remove_unknown(self._new_files(before))
                raise

    def find_version(self) -> int:
        """The newest version of the catalog; 0 if it has none."""
        return int(self.one(self.newest_version)[0])

    @property
    def newest_version(self) -> str:
        return f"SELECT coalesce(max(snapshot_id), 0) FROM {self.metadata}.ducklake_snapshot"

    @property
    def is_current(self) -> str:
        """The condition for the table in DuckLake's list of tables."""
        return f"table_name = {quote_value(self.relation)} AND end_snapshot IS NULL"

    def _new_files(self, before: set[str]) -> list[Path]:
        return [self.folder / name for name in _names_in(self.folder) - before]

    def remove_unknown(self, paths: Iterable[Path]) -> None:
        """Remove files that the catalog does not refer to: neither in the current version, nor in an earlier one, nor
        in one that may still be read."""
        known = self._known_files()
        for path in paths:
            if path.name not in known:
                path.unlink(missing_ok=True)

    def _known_files(self) -> set[str]:
        own = f"SELECT table_id FROM {self.metadata}.ducklake_table WHERE table_name = '{self.relation}'"
        files = " UNION ALL ".join(
            [f"SELECT path FROM {self.metadata}.ducklake_{kind}_file WHERE table_id IN ({own})" for kind in _KINDS]
            + [f"SELECT path FROM {self.metadata}.ducklake_files_scheduled_for_deletion"]
        )
        return {Path(row[0]).name for row in self.duck.execute(files).fetchall()}

    @contextmanager
    def _transaction(self) -> Generator[None]:
        self.duck.execute("BEGIN")
        try:
            yield
            self.duck.execute("COMMIT")
        except BaseException:
            self.work.settle()
            with suppress(duckdb.Error):
                self.duck.execute("ROLLBACK")
            raise

    def _leave_mark(self, mark: str, note: object) -> None:
        texts = f"'penstock', {quote_value(note)}, extra_info => {quote_value(f'{self.relation} {mark}')}"
        self.duck.execute(f"CALL {self.catalog}.set_commit_message({texts})")

    def find_note(self, mark: str) -> str | None:
        """The note of the commit that has the mark; None if there is none."""
        changes = f"{self.metadata}.ducklake_snapshot_changes"
        is_marked = f"commit_extra_info = {quote_value(f'{self.relation} {mark}')}"
        found = self.duck.execute(f"SELECT commit_message FROM {changes} WHERE {is_marked} LIMIT 1").fetchone()
        return str(found[0]) if found else None


def _names_in(folder: Path) -> set[str]:
    """A table that is loaded often has thousands of files, so no Path is created for each."""
    with os.scandir(folder) as entries:
        return {entry.name for entry in entries}


def _sync(paths: list[Path]) -> None:
    for path in paths:
        durable.sync_path(path)
    if paths:
        durable.sync_path(paths[0].parent)
