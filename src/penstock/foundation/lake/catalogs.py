"""The location of a table on disk.

A bucket is a folder named by its number, with a catalog and the Parquet files that the catalog lists. DuckLake reads
the names of all tables of a catalog when it opens one, so a catalog holds at most a hundred tables, and the next
hundred get another folder: `7/`, `7-1/`, `7-2/`. A table belongs to the folder that has a data folder for it.
"""

from __future__ import annotations

import hashlib
from itertools import count
from pathlib import Path

import msgspec

SCHEMA = "main"
TABLES_PER_CATALOG = 100


class LakeTable(msgspec.Struct, frozen=True):
    """The number of its bucket, and its name, which is never used as a path or in SQL without escaping."""

    bucket: int
    name: str
    is_known: bool = False
    """Whether the table is known to exist: then it is damage if its catalog does not have it."""

    @property
    def relation(self) -> str:
        """The table's name in its catalog: derived from its name, so that a repeated load finds it again."""
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
        """The name of the catalog until it is complete."""
        return self.folder / "new.sqlite"

    @property
    def commit_lock(self) -> Path:
        """Held during a commit: without it, most concurrent commits to an SQLite catalog fail."""
        return self.folder / "commit.lock"

    def data_folder(self, relation: str) -> Path:
        """DuckLake stores relative paths only for files in exactly this folder."""
        return self.folder / "data" / SCHEMA / relation

    def staging_folder(self, relation: str) -> Path:
        """Return the folder where a load writes uncommitted files; anything found there later is garbage."""
        return self.folder / "staging" / relation

    @property
    def has_files(self) -> bool:
        """Whether any table has files here."""
        return any((self.folder / "data" / SCHEMA).glob("*/*"))

    @property
    def has_catalog(self) -> bool:
        """An empty file does not count."""
        return self.catalog_file.exists() and self.catalog_file.stat().st_size > 0

    @property
    def has_room(self) -> bool:
        tables = self.folder / "data" / SCHEMA
        return not tables.exists() or sum(1 for _ in tables.iterdir()) < TABLES_PER_CATALOG


def catalogs_of(lake: Path, bucket: int) -> list[Catalog]:
    """The existing catalogs; the first exists for every bucket that was ever used."""
    found: list[Catalog] = []
    for number in count():
        home = Catalog(lake, bucket, number)
        if not home.folder.exists():
            return found
        found.append(home)
    raise AssertionError


def find_catalog(lake: Path, table: LakeTable) -> Catalog:
    """The catalog of the table, or the one in which it would be created."""
    catalogs = catalogs_of(lake, table.bucket)
    for home in catalogs:
        if home.data_folder(table.relation).exists():
            return home
    return next((home for home in catalogs if home.has_room), Catalog(lake, table.bucket, len(catalogs)))
