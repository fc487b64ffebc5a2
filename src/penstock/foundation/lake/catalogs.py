"""Where a table is on disk.

A bucket is a folder named by its number, with a catalog and the Parquet files that the catalog names. DuckLake reads
the names of all tables of a catalog when it opens one, so a catalog takes a hundred tables, and the next hundred get
a folder of their own: `7/`, `7-1/`, `7-2/`. A table's home is the folder in which it has a place for its files.
"""

from __future__ import annotations

import hashlib
from itertools import count
from pathlib import Path

import msgspec

SCHEMA = "main"
TABLES_PER_CATALOG = 100


class LakeTable(msgspec.Struct, frozen=True):
    """The number of its bucket, and its name, which becomes neither path nor SQL as it is."""

    bucket: int
    name: str
    is_known: bool = False
    """Whether there is such a table for certain: then it is damage if its catalog does not know it."""

    @property
    def relation(self) -> str:
        """What the table is called in its catalog: made of the name, so that a repeated load finds it again."""
        return f"t_{hashlib.sha256(self.name.encode()).hexdigest()[:24]}"


class Catalog(msgspec.Struct, frozen=True):
    """One catalog and its files: a bucket has as many as its tables need."""

    lake: Path
    bucket: int
    number: int

    @property
    def folder(self) -> Path:
        return self.lake / (f"{self.bucket}-{self.number}" if self.number else str(self.bucket))

    @property
    def catalog_file(self) -> Path:
        return self.folder / "catalog.sqlite"

    @property
    def new_catalog_file(self) -> Path:
        """What the catalog is called until it is whole."""
        return self.folder / "new.sqlite"

    @property
    def commit_lock(self) -> Path:
        """Held for the moment of a commit: without it most concurrent commits to a SQLite catalog fail."""
        return self.folder / "commit.lock"

    def data_folder(self, relation: str) -> Path:
        """DuckLake keeps paths relative only for files in this very folder."""
        return self.folder / "data" / SCHEMA / relation

    def staging_folder(self, relation: str) -> Path:
        """Where a load writes what is not committed yet; whatever is found there later is nobody's."""
        return self.folder / "staging" / relation

    @property
    def has_files(self) -> bool:
        """Whether any table has files here."""
        return any((self.folder / "data" / SCHEMA).glob("*/*"))

    @property
    def has_catalog(self) -> bool:
        """One that is empty is none."""
        return self.catalog_file.exists() and self.catalog_file.stat().st_size > 0

    @property
    def has_room(self) -> bool:
        tables = self.folder / "data" / SCHEMA
        return not tables.exists() or sum(1 for _ in tables.iterdir()) < TABLES_PER_CATALOG


def catalogs_of(lake: Path, bucket: int) -> list[Catalog]:
    """Those that are there; the first is there for every bucket that was ever used."""
    found: list[Catalog] = []
    for number in count():
        home = Catalog(lake, bucket, number)
        if not home.folder.exists():
            return found
        found.append(home)
    raise AssertionError


def find_catalog(lake: Path, table: LakeTable) -> Catalog:
    """Where the table is, or where it would be made."""
    catalogs = catalogs_of(lake, table.bucket)
    for home in catalogs:
        if home.data_folder(table.relation).exists():
            return home
    return next((home for home in catalogs if home.has_room), Catalog(lake, table.bucket, len(catalogs)))
