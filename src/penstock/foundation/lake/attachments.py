"""The catalogs that an engine has open: nobody shares one while he is at it.

What DuckLake knows of a catalog it keeps with the attachment, and it lets go of that when a newer version comes, even
while another connection still looks at it (duckdb/ducklake#1248): commits are refused then, and the process may die.
So each session has an attachment of its own, under a name that nobody else uses. Attaching takes a few milliseconds,
and what was given back is taken again.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from itertools import count
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation import durable, locks
from penstock.foundation.lake.places import Home
from penstock.foundation.lake.sql import quote_value

CATALOGS_OPEN = 64


class HomeGone(Exception):
    """There is no catalog, and whoever asks only takes: that makes none."""


class Attachment(msgspec.Struct, frozen=True):
    home: Home
    name: str
    """What the catalog is called in the engine."""


class Attachments:
    """Of one engine. Whoever calls sees to it that only one thread does."""

    def __init__(self, engine: duckdb.DuckDBPyConnection) -> None:
        self.engine = engine
        self._names = (f"c{number}" for number in count(1))
        self._taken: set[Attachment] = set()
        self._free: list[Attachment] = []

    def take(self, home: Home, *, may_make: bool) -> Attachment:
        self._let_go_of_dropped()
        attachment = self._take_free(home) or self._attach(home, may_make)
        self._taken.add(attachment)
        return attachment

    def give_back(self, attachment: Attachment) -> None:
        self._taken.discard(attachment)
        self._free.append(attachment)

    def let_go_of(self, home: Home) -> None:
        """One that somebody still reads is let go of later."""
        self._detach([free for free in self._free if free.home == home])

    def _take_free(self, home: Home) -> Attachment | None:
        """The last one that was given back: it knows most of what is new."""
        found = next((free for free in reversed(self._free) if free.home == home), None)
        if found:
            self._free.remove(found)
        return found

    def _attach(self, home: Home, may_make: bool) -> Attachment:
        if len(self._free) + len(self._taken) >= CATALOGS_OPEN:
            self._detach(self._free)
        if not home.catalog_file.exists():
            if not may_make:
                raise HomeGone
            self._make_catalog(home)
        attachment = Attachment(home, next(self._names))
        self.engine.execute(_to_attach(attachment, home.catalog_file))
        return attachment

    def _make_catalog(self, home: Home) -> None:
        """Under another name first: whoever finds a catalog finds a whole one, and need not look into it.

        Looking would do harm: when Python's SQLite closes a file, the locks of the engine's own SQLite on it are gone.
        """
        with locks.exclusive(home.commit_lock):
            if home.catalog_file.exists():
                return
            (home.folder / "data").mkdir(parents=True, exist_ok=True)
            begun = home.folder / "new.sqlite"
            for left in home.folder.glob(f"{begun.name}*"):
                left.unlink()
            _create_catalog(begun)
            making = Attachment(home, next(self._names))
            self.engine.execute(_to_attach(making, begun))
            self.engine.execute(f"DETACH {making.name}")
            begun.rename(home.catalog_file)
            durable.sync_path(home.folder)

    def _let_go_of_dropped(self) -> None:
        """Another process may have dropped a bucket, and what the engine knows of its catalog is of no use any more."""
        self._detach([free for free in self._free if not free.home.catalog_file.exists()])

    def _detach(self, attachments: list[Attachment]) -> None:
        for attachment in list(attachments):
            with suppress(duckdb.Error):
                self.engine.execute(f"DETACH {attachment.name}")
                self._free.remove(attachment)


def _to_attach(attachment: Attachment, catalog: Path) -> str:
    source, data = quote_value(f"ducklake:sqlite:{catalog}"), quote_value(f"{attachment.home.folder}/data/")
    return (
        f"ATTACH {source} AS {attachment.name} (DATA_PATH {data}, OVERRIDE_DATA_PATH true, "
        "DATA_INLINING_ROW_LIMIT 0, META_BUSY_TIMEOUT 20000)"
    )


def _create_catalog(catalog: Path) -> None:
    """Create the catalog in WAL mode, so that readers never wait for a commit."""
    connection = sqlite3.connect(catalog, timeout=20)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
