"""DuckDB in this process, with the catalogs it has open."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import uuid
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import duckdb

from penstock.foundation import locks
from penstock.foundation.lake.errors import ColumnGone, LakeUnavailable, NoSuchTable
from penstock.foundation.lake.places import Home, LakeTable, find_home, homes_of
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.sql import quote_value

CATALOGS_OPEN = 64
MEMORY_LIMIT = "320MB"
"""With Python and the libraries a process stays under 600 MB; what needs more goes to the temporary folder."""

MOST_THREADS = 4
"""Each thread holds a row group in memory while it writes, so more of them would not fit."""


class Lake:
    """The tables below one folder. Safe to share between threads; processes meet at the locks on disk."""

    def __init__(self, folder: Path, memory_limit: str = MEMORY_LIMIT) -> None:
        self.folder = folder
        self._memory_limit = memory_limit
        self._engine: duckdb.DuckDBPyConnection | None = None
        self._scratch: Scratch | None = None
        self._users: dict[str, int] = {}
        self._catalogs: dict[str, Path] = {}
        self._guard = threading.Lock()
        self._held = threading.local()

    @contextmanager
    def one_writer(self, table: LakeTable) -> Generator[None]:
        """One load at a time per table: a load first looks at what is there. Whoever holds it may ask for it again."""
        lock, held = self.writer_lock(table.bucket, table.relation), self._held_by_this_thread()
        if lock in held:
            yield
            return
        with locks.exclusive(lock):
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

    def homes(self, bucket: int) -> list[Home]:
        return homes_of(self.folder, bucket)

    def folder_of(self, table: LakeTable) -> Path:
        """Where the table's Parquet files are."""
        return find_home(self.folder, table).data_folder(table.relation)

    @contextmanager
    def session(self, table: LakeTable) -> Generator[Session]:
        """A connection of one's own in which the table's catalog is attached."""
        with self.session_at(find_home(self.folder, table), table.relation) as session:
            yield session

    @contextmanager
    def existing(self, table: LakeTable) -> Generator[Session]:
        """As session(), of a table that must be there: nothing is made, and what went meanwhile has its own error.

        Only who brings something may make a home for it.
        """
        home = find_home(self.folder, table)
        try:
            with self.session_at(home, table.relation, may_make=False) as session:
                yield session
        except (HomeGone, duckdb.CatalogException) as error:
            raise NoSuchTable(table.name) from error
        except duckdb.BinderException as error:
            raise ColumnGone(table.name) from error
        except LakeUnavailable as error:
            if home.catalog_file.exists():
                raise
            raise NoSuchTable(table.name) from error

    @contextmanager
    def session_at(self, home: Home, relation: str, *, may_make: bool = True) -> Generator[Session]:
        try:
            cursor = self._acquire(home, may_make)
            try:
                yield Session(cursor, home, relation)
            finally:
                cursor.close()
                self._release(home)
        except duckdb.FatalException as error:
            # The engine is of no use after this; the files are as they were, so a new one takes its place.
            self.close()
            raise LakeUnavailable(error) from error
        except duckdb.ProgrammingError:
            raise
        except (duckdb.Error, sqlite3.OperationalError, OSError) as error:
            raise LakeUnavailable(error) from error

    def detach(self, home: Home) -> None:
        """Let go of a catalog that is about to be removed. One that somebody still reads is let go of later."""
        with self._guard:
            if self._engine and not self._users.get(home.catalog, 1):
                self._detach(home.catalog)

    def close(self) -> None:
        with self._guard:
            if self._engine:
                self._engine.close()
            if self._scratch:
                self._scratch.remove()
            self._engine, self._scratch, self._users = None, None, {}

    def _acquire(self, home: Home, may_make: bool) -> duckdb.DuckDBPyConnection:
        with self._guard:
            engine = self._engine or self._start()
            self._let_go_of_dropped()
            if home.catalog not in self._users:
                self._make_room()
                _attach(engine, home, may_make)
                self._users[home.catalog], self._catalogs[home.catalog] = 0, home.catalog_file
            self._users[home.catalog] += 1
            return engine.cursor()

    def _start(self) -> duckdb.DuckDBPyConnection:
        self._scratch = Scratch(self.folder / "tmp")
        self._engine = start_engine(self._scratch.folder, self._memory_limit)
        return self._engine

    def _release(self, home: Home) -> None:
        with self._guard:
            if home.catalog in self._users:
                self._users[home.catalog] = max(0, self._users[home.catalog] - 1)

    def _let_go_of_dropped(self) -> None:
        """Another process may have dropped a bucket, and what the engine knows of its catalog is of no use any more."""
        for catalog in [name for name, users in self._users.items() if not users]:
            if not self._catalogs[catalog].exists():
                self._detach(catalog)

    def _make_room(self) -> None:
        if len(self._users) >= CATALOGS_OPEN:
            for catalog in [name for name, users in self._users.items() if not users]:
                self._detach(catalog)

    def _detach(self, catalog: str) -> None:
        assert self._engine
        with suppress(duckdb.Error):
            self._engine.execute(f"DETACH {catalog}")
            del self._users[catalog]


class HomeGone(Exception):
    """There is no catalog, and whoever asks only takes: that makes none."""


class Scratch:
    """Where one engine puts what does not fit in memory: two of them in one folder would write over each other."""

    def __init__(self, parent: Path) -> None:
        parent.mkdir(parents=True, exist_ok=True)
        for left in parent.glob("*.lock"):
            _remove_if_dead(left)
        name = uuid.uuid4().hex
        self._lock_file = parent / f"{name}.lock"
        self._held: IO[str] | None = locks.try_to_hold(self._lock_file)
        self.folder = parent / name
        self.folder.mkdir()

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock_file.unlink(missing_ok=True)
        if self._held:
            self._held.close()


def _remove_if_dead(lock_file: Path) -> None:
    """What a killed process left: the lock of a living one cannot be had."""
    with suppress(OSError):
        held = locks.try_to_hold(lock_file)
        if held:
            shutil.rmtree(lock_file.with_suffix(""), ignore_errors=True)
            lock_file.unlink(missing_ok=True)
            held.close()


def _attach(engine: duckdb.DuckDBPyConnection, home: Home, may_make: bool) -> None:
    source, data = quote_value(f"ducklake:sqlite:{home.catalog_file}"), quote_value(f"{home.folder}/data/")
    attach = (
        f"ATTACH {source} AS {home.catalog} (DATA_PATH {data}, OVERRIDE_DATA_PATH true, DATA_INLINING_ROW_LIMIT 0, "
        "META_BUSY_TIMEOUT 20000)"
    )
    if _is_complete(home.catalog_file):
        engine.execute(attach)
        return
    if not may_make:
        raise HomeGone
    with locks.exclusive(home.commit_lock):
        (home.folder / "data").mkdir(parents=True, exist_ok=True)
        _create_catalog(home.catalog_file)
        engine.execute(attach)


def start_engine(temporary: Path, memory_limit: str) -> duckdb.DuckDBPyConnection:
    engine = duckdb.connect(
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "memory_limit": memory_limit,
            "threads": min(os.cpu_count() or 1, MOST_THREADS),
            "temp_directory": str(temporary),
            # Of rows with one key the last stays, and a preview shows a file as it was written.
            "preserve_insertion_order": True,
            # For the first rows of a table it reads which ones were deleted, and then reads that again.
            "disabled_optimizers": "late_materialization",
            # A table that is not there, as before the load that makes it, is not looked for in all other buckets, to
            # name similar ones: that takes longer with every table.
            "catalog_error_max_schemas": 0,
        }
    )
    for extension in ("ducklake", "sqlite_scanner"):
        engine.execute(f"LOAD {quote_value(_extension_file(extension))}")
    engine.execute("SET GLOBAL TimeZone = 'UTC'")
    # A name that is no table is never to be looked for among Python's variables.
    engine.execute("SET GLOBAL python_enable_replacements = false")
    return engine


def _extension_file(extension: str) -> Path:
    """The signed binary inside the extension's wheel: nothing is downloaded at run time."""
    spec = find_spec(f"duckdb_extension_{extension}")
    if not spec or not spec.origin:
        raise RuntimeError(f"The DuckDB extension {extension} is not installed; install penstock again.")
    folder = Path(spec.origin).parent / "extensions" / f"v{duckdb.__version__}"
    return folder / f"{extension}.duckdb_extension"


def _is_complete(catalog: Path) -> bool:
    """Whether there is a catalog and nobody is just making it: its first snapshot is the last thing that is made."""
    if not catalog.exists():
        return False
    connection = sqlite3.connect(catalog, timeout=20)
    try:
        return connection.execute("SELECT 1 FROM ducklake_snapshot LIMIT 1").fetchone() is not None
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()


def _create_catalog(catalog: Path) -> None:
    """Create the catalog in WAL mode, so that readers never wait for a commit."""
    connection = sqlite3.connect(catalog, timeout=20)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
