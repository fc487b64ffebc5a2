"""Tables below one folder, and sessions on them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb

from penstock.foundation import interruption
from penstock.foundation.files import locks
from penstock.foundation.files.ballast import Ballast
from penstock.foundation.lake.attachments import Attachment, Attachments, CatalogMissing
from penstock.foundation.lake.catalogs import Catalog, LakeTable, catalogs_of, find_catalog
from penstock.foundation.lake.engine import MEMORY_LIMIT, THREADS, Scratch, start_engine
from penstock.foundation.lake.errors import ColumnGone, DamagedFile, LakeUnavailable, NoSuchTable, is_about_damage
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.unpacking import Unpacking
from penstock.foundation.lake.versions import LeastVersion, Versions


class Lake:
    """The tables below one folder. Thread-safe; processes synchronize with locks on disk."""

    def __init__(self, folder: Path, least_version: LeastVersion = lambda _catalog: 0) -> None:
        self.folder = folder
        self.unpacking = Unpacking()
        """Limits for compressed files."""
        self.versions = Versions(least_version)
        self.threads = THREADS
        """Threads of the engine when it starts. A commit takes a quarter of the CPU time with one thread: with more,
        the engine spins while it waits for the others."""
        self._attachments: Attachments | None = None
        self._scratch: Scratch | None = None
        self._guard = threading.Lock()
        self._held = threading.local()

    @contextmanager
    def one_writer(self, table: LakeTable) -> Generator[None]:
        """One load at a time per table, since a load first reads the existing rows. Reentrant."""
        lock, held = self.writer_lock(table.bucket, table.relation), self._held_by_this_thread()
        if lock in held:
            yield
            return
        # Another load of the table may take hours.
        with locks.exclusive(lock, interruption.current().check):
            held.add(lock)
            try:
                yield
            finally:
                held.discard(lock)

    def _held_by_this_thread(self) -> set[Path]:
        if not hasattr(self._held, "locks"):
            self._held.locks = set[Path]()
        return self._held.locks

    def writer_lock(self, bucket: int, relation: str) -> Path:
        return self.folder / str(bucket) / f"{relation}.lock"

    def catalogs(self, bucket: int) -> list[Catalog]:
        return catalogs_of(self.folder, bucket)

    @contextmanager
    def session(self, table: LakeTable) -> Generator[Session]:
        """A connection with the table's catalog attached; a missing catalog is created, unless the table is known to
        exist: then its catalog must exist too."""
        try:
            home = find_catalog(self.folder, table)
            with self.session_at(home, table.relation, may_make=not table.is_known) as session:
                yield session
        except CatalogMissing as error:
            raise NoSuchTable(table.name) from error

    @contextmanager
    def existing(self, table: LakeTable) -> Generator[Session]:
        """Like session(), for a table that must exist: nothing is created, and a concurrent drop raises its own error.

        Only code that adds data may create a catalog.
        """
        home = find_catalog(self.folder, table)
        try:
            with self.session_at(home, table.relation, may_make=False) as session:
                yield session
        except (CatalogMissing, duckdb.CatalogException) as error:
            raise NoSuchTable(table.name) from error
        except duckdb.BinderException as error:
            raise ColumnGone(table.name) from error
        except LakeUnavailable as error:
            if home.catalog_file.exists():
                raise
            raise NoSuchTable(table.name) from error

    @contextmanager
    def session_at(self, home: Catalog, relation: str, *, may_make: bool = True) -> Generator[Session]:
        Ballast(self.folder.parent).ensure_room()
        work = interruption.current()
        try:
            with self._attached(home, may_make) as (duck, attachment), work.during(duck.interrupt):
                session = Session(duck, attachment, relation, work)
                self.versions.check(session)
                yield session
                if session.has_committed:
                    self.versions.note(session)
        except duckdb.InterruptException as error:
            work.check()
            raise LakeUnavailable(error) from error
        except duckdb.ProgrammingError as error:
            if isinstance(error, duckdb.InvalidInputException) and is_about_damage(error):
                raise DamagedFile(error) from error
            raise
        except (duckdb.Error, sqlite3.OperationalError, OSError) as error:
            if isinstance(error, duckdb.Error) and is_about_damage(error):
                raise DamagedFile(error) from error
            raise LakeUnavailable(error) from error

    @contextmanager
    def _attached(self, home: Catalog, may_make: bool) -> Generator[tuple[duckdb.DuckDBPyConnection, Attachment]]:
        with self._opened() as attachments:
            with self._guard:
                attachment = attachments.take(home, may_make=may_make)
            try:
                with closing(attachments.engine.cursor()) as duck:
                    yield duck, attachment
            finally:
                with self._guard:
                    attachments.give_back(attachment)

    @contextmanager
    def _opened(self) -> Generator[Attachments]:
        with self._guard:
            attachments = self._attachments or self._start()
        try:
            yield attachments
        except duckdb.FatalException:
            self._give_up(attachments)
            raise

    def _start(self) -> Attachments:
        self._scratch = Scratch(self.folder / "tmp")
        self._attachments = Attachments(start_engine(self._scratch.folder, MEMORY_LIMIT, self.threads))
        return self._attachments

    def detach(self, home: Catalog) -> None:
        """Detach a catalog that is about to be removed."""
        with self._guard:
            if self._attachments:
                self._attachments.detach(home)

    def _give_up(self, attachments: Attachments) -> None:
        """Discard an engine that failed; the files are unchanged, so a new engine replaces it."""
        with self._guard:
            if self._attachments is attachments:
                self._stop()

    def close(self) -> None:
        with self._guard:
            self._stop()

    def _stop(self) -> None:
        if self._attachments:
            self._attachments.engine.close()
        if self._scratch:
            self._scratch.remove()
        self._attachments, self._scratch = None, None
