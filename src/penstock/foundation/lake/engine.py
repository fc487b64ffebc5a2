"""DuckDB in this process, with the catalogs it has open."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation import locks
from penstock.foundation.errors import Unavailable

CATALOGS_OPEN = 64
MEMORY_LIMIT = "1GB"
SCHEMA = "main"


class LakeTable(msgspec.Struct, frozen=True):
    """Where a table is: the number of its bucket, and its name, which becomes neither path nor SQL as it is."""

    bucket: int
    name: str

    @property
    def catalog(self) -> str:
        return f"b{self.bucket}"

    @property
    def metadata(self) -> str:
        """Where DuckLake shows the tables that it keeps of its tables."""
        return f"__ducklake_metadata_{self.catalog}"

    @property
    def relation(self) -> str:
        """What the table is called in its catalog: made of the name, so that a repeated load finds it again."""
        return f"t_{hashlib.sha256(self.name.encode()).hexdigest()[:24]}"

    @property
    def address(self) -> str:
        return f"{self.catalog}.{SCHEMA}.{self.relation}"


class LakeUnavailable(Unavailable):
    """Tables cannot be used now: the disk is full, or does not answer. Nothing was changed."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"The stack's tables cannot be used now: {error}. Try again.")


class Lake:
    """The tables below one folder. Safe to share between threads; processes meet at the locks on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._engine: duckdb.DuckDBPyConnection | None = None
        self._users: dict[str, int] = {}
        self._guard = threading.Lock()

    def folder_of(self, table: LakeTable) -> Path:
        """Where the table's Parquet files are. DuckLake keeps paths relative only for files in this very folder."""
        return self.folder / str(table.bucket) / "data" / SCHEMA / table.relation

    @contextmanager
    def one_writer(self, table: LakeTable) -> Generator[None]:
        """One load at a time per table: a load first looks at what is there."""
        with locks.exclusive(self.folder / str(table.bucket) / f"{table.relation}.lock"):
            yield

    @contextmanager
    def commit_lock(self, table: LakeTable) -> Generator[None]:
        """Held for the moment of a commit: without it most concurrent commits to a SQLite catalog fail."""
        with locks.exclusive(self.folder / str(table.bucket) / "commit.lock"):
            yield

    @contextmanager
    def session(self, table: LakeTable) -> Generator[duckdb.DuckDBPyConnection]:
        """A connection of one's own in which the table's bucket is attached."""
        try:
            cursor = self._acquire(table)
            try:
                yield cursor
            finally:
                cursor.close()
                self._release(table)
        except duckdb.FatalException as error:
            # The engine is of no use after this; the files are as they were, so a new one takes its place.
            self.close()
            raise LakeUnavailable(error) from error
        except duckdb.ProgrammingError:
            raise
        except (duckdb.Error, sqlite3.OperationalError, OSError) as error:
            raise LakeUnavailable(error) from error

    def close(self) -> None:
        with self._guard:
            if self._engine:
                self._engine.close()
            self._engine, self._users = None, {}

    def _acquire(self, table: LakeTable) -> duckdb.DuckDBPyConnection:
        with self._guard:
            self._engine = self._engine or _start_engine(self.folder / "tmp")
            if table.catalog not in self._users:
                self._make_room()
                self._attach(table)
            self._users[table.catalog] += 1
            return self._engine.cursor()

    def _release(self, table: LakeTable) -> None:
        with self._guard:
            if table.catalog in self._users:
                self._users[table.catalog] = max(0, self._users[table.catalog] - 1)

    def _attach(self, table: LakeTable) -> None:
        assert self._engine
        folder = self.folder / str(table.bucket)
        attach = (
            f"ATTACH 'ducklake:sqlite:{quote_text(folder / 'catalog.sqlite')}' AS {table.catalog} "
            f"(DATA_PATH '{quote_text(folder / 'data')}/', OVERRIDE_DATA_PATH true, DATA_INLINING_ROW_LIMIT 0, "
            "META_BUSY_TIMEOUT 20000)"
        )
        if _is_complete(folder / "catalog.sqlite"):
            self._engine.execute(attach)
        else:
            with locks.exclusive(folder / "commit.lock"):
                (folder / "data").mkdir(parents=True, exist_ok=True)
                _create_catalog(folder / "catalog.sqlite")
                self._engine.execute(attach)
        self._users[table.catalog] = 0

    def _make_room(self) -> None:
        if len(self._users) < CATALOGS_OPEN:
            return
        assert self._engine
        for catalog in [name for name, users in self._users.items() if not users]:
            with suppress(duckdb.Error):
                self._engine.execute(f"DETACH {catalog}")
                del self._users[catalog]


def quote_text(value: object) -> str:
    return str(value).replace("'", "''")


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _start_engine(temporary: Path) -> duckdb.DuckDBPyConnection:
    temporary.mkdir(parents=True, exist_ok=True)
    engine = duckdb.connect(
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "memory_limit": MEMORY_LIMIT,
            "temp_directory": str(temporary),
        }
    )
    for extension in ("ducklake", "sqlite_scanner"):
        engine.execute(f"LOAD '{quote_text(_extension_file(extension))}'")
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
