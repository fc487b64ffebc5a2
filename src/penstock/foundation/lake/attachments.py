"""The catalogs that an engine has attached; each is used by one session at a time.

DuckLake caches the metadata of a catalog per attachment, and frees it when a newer version appears, even while another
connection still uses it (duckdb/ducklake#1248): commits then fail, and the process may crash. So each session has its
own attachment, under a unique name. Attaching takes a few milliseconds, and released attachments are reused.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation.files import durable, locks
from penstock.foundation.lake.catalogs import Catalog
from penstock.foundation.lake.errors import CatalogLost
from penstock.foundation.text.quoting import quote_value

CATALOGS_OPEN = 64


FileId = tuple[int, int]


class CatalogMissing(Exception):
    """There is no catalog, and the session may not create one."""


class Attachment(msgspec.Struct, frozen=True):
    home: Catalog
    name: str
    """The name of the catalog in the engine."""
    file: FileId | None = None
    """The identity of the file when it was attached."""


class Attachments:
    """The attachments of one engine. Callers must serialize access."""

    def __init__(self, engine: duckdb.DuckDBPyConnection) -> None:
        self.engine = engine
        self._names = (f"c{number}" for number in count(1))
        self._taken: set[Attachment] = set()
        self._free: list[Attachment] = []

    def take(self, home: Catalog, *, may_make: bool) -> Attachment:
        self._detach_dropped()
        attachment = self._take_free(home) or self._attach(home, may_make)
        self._taken.add(attachment)
        return attachment

    def give_back(self, attachment: Attachment) -> None:
        self._taken.discard(attachment)
        self._free.append(attachment)

    def detach(self, home: Catalog) -> None:
        """One that is still in use is detached later."""
        self._detach([free for free in self._free if free.home == home])

    def _take_free(self, home: Catalog) -> Attachment | None:
        """The one that was released last: its cache is the most current."""
        found = next((free for free in reversed(self._free) if free.home == home), None)
        if found:
            self._free.remove(found)
        return found

    def _attach(self, home: Catalog, may_make: bool) -> Attachment:
        if len(self._free) + len(self._taken) >= CATALOGS_OPEN:
            self._detach(self._free)
        if may_make and not home.has_catalog and home.has_files:
            raise CatalogLost(home.folder)
        if not home.catalog_file.exists():
            if not may_make:
                raise CatalogMissing
            self._make_catalog(home)
        attachment = Attachment(home, next(self._names), _identify(home.catalog_file))
        try:
            self.engine.execute(_to_attach(attachment, home.catalog_file, may_make))
        except duckdb.InvalidInputException as error:
            if may_make or "creating a new DuckLake" not in str(error):
                raise
            raise CatalogMissing from error  # left incomplete by an earlier version: the next load creates it
        return attachment

    def _make_catalog(self, home: Catalog) -> None:
        """Create it under another name first: a catalog that exists is complete, and need not be opened to find out.

        Opening it would do harm: when Python's SQLite closes a file, the locks of the engine's own SQLite on it are
        released.
        """
        with locks.exclusive(home.commit_lock):
            if not home.catalog_file.exists():
                self._fill(home)
                home.new_catalog_file.rename(home.catalog_file)
                durable.sync_path(home.folder)
                durable.sync_path(home.folder.parent)

    def _fill(self, home: Catalog) -> None:
        for left in home.folder.glob(f"{home.new_catalog_file.name}*"):
            left.unlink()
        (home.folder / "data").mkdir(exist_ok=True)
        _let_readers_pass(home.new_catalog_file)
        attachment = Attachment(home, next(self._names))
        self.engine.execute(_to_attach(attachment, home.new_catalog_file, may_make=True))
        self.engine.execute(f"DETACH {attachment.name}")
        # SQLite does not report a failed checkpoint. It leaves this file then.
        if home.new_catalog_file.with_name(f"{home.new_catalog_file.name}-wal").exists():
            raise OSError(f"{home.new_catalog_file} could not be written completely.")

    def _detach_dropped(self) -> None:
        """Detach catalogs of buckets that another process has dropped, and those whose file was replaced: the engine
        would continue with the deleted file."""
        self._detach([free for free in self._free if _identify(free.home.catalog_file) != free.file])

    def _detach(self, attachments: list[Attachment]) -> None:
        for attachment in list(attachments):
            with suppress(duckdb.Error):
                self.engine.execute(f"DETACH {attachment.name}")
                self._free.remove(attachment)


def _identify(file: Path) -> FileId | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _to_attach(attachment: Attachment, catalog: Path, may_make: bool) -> str:
    source, data = quote_value(f"ducklake:sqlite:{catalog}"), quote_value(f"{attachment.home.folder}/data/")
    return (
        f"ATTACH {source} AS {attachment.name} (DATA_PATH {data}, OVERRIDE_DATA_PATH true, "
        f"CREATE_IF_NOT_EXISTS {may_make}, DATA_INLINING_ROW_LIMIT 0, META_BUSY_TIMEOUT 20000)"
    )


def _let_readers_pass(catalog: Path) -> None:
    """Create it in WAL mode, so that readers never wait for a commit."""
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
