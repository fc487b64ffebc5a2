"""The catalogs that an engine has open: nobody shares one while he is at it.

What DuckLake knows of a catalog it keeps for each attachment, and lets go of it when a newer version comes, even while
another connection still looks at it (duckdb/ducklake#1248): commits are refused then, and the process may die.
So each session has an attachment of its own, under a name that nobody else uses. Attaching takes a few milliseconds,
and what was given back is taken again.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation import durable, locks
from penstock.foundation.lake.catalogs import Catalog
from penstock.foundation.lake.errors import CatalogLost
from penstock.foundation.lake.sql import quote_value

CATALOGS_OPEN = 64


FileId = tuple[int, int]


class HomeGone(Exception):
    """There is no catalog, and whoever asks only takes: that makes none."""


class Attachment(msgspec.Struct, frozen=True):
    home: Catalog
    name: str
    """What the catalog is called in the engine."""
    file: FileId | None = None
    """Which file it was when it was attached."""


class Attachments:
    """Of one engine. Whoever calls sees to it that only one thread does."""

    def __init__(self, engine: duckdb.DuckDBPyConnection) -> None:
        self.engine = engine
        self._names = (f"c{number}" for number in count(1))
        self._taken: set[Attachment] = set()
        self._free: list[Attachment] = []

    def take(self, home: Catalog, *, may_make: bool) -> Attachment:
        self._let_go_of_dropped()
        attachment = self._take_free(home) or self._attach(home, may_make)
        self._taken.add(attachment)
        return attachment

    def give_back(self, attachment: Attachment) -> None:
        self._taken.discard(attachment)
        self._free.append(attachment)

    def let_go_of(self, home: Catalog) -> None:
        """One that somebody still reads is let go of later."""
        self._detach([free for free in self._free if free.home == home])

    def _take_free(self, home: Catalog) -> Attachment | None:
        """The last one that was given back: it knows most of what is new."""
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
                raise HomeGone
            self._make_catalog(home)
        attachment = Attachment(home, next(self._names), _identify(home.catalog_file))
        try:
            self.engine.execute(_to_attach(attachment, home.catalog_file, may_make))
        except duckdb.InvalidInputException as error:
            if may_make or "creating a new DuckLake" not in str(error):
                raise
            raise HomeGone from error  # an earlier version began it and was killed: the next load makes it
        return attachment

    def _make_catalog(self, home: Catalog) -> None:
        """Under another name first: whoever finds a catalog finds a whole one, and need not look into it.

        Looking would do harm: when Python's SQLite closes a file, the locks of the engine's own SQLite on it are gone.
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
        # SQLite does not say that it could not bring everything into the file. It leaves this one then.
        if home.new_catalog_file.with_name(f"{home.new_catalog_file.name}-wal").exists():
            raise OSError(f"{home.new_catalog_file} could not be written whole.")

    def _let_go_of_dropped(self) -> None:
        """Another process may have dropped a bucket: what the engine knows of its catalog is of no use any more. Nor
        is it if somebody has put another file in its place: the engine would go on with the one that is gone."""
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
    """Begin it in WAL mode, so that readers never wait for a commit."""
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
