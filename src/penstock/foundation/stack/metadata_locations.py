"""The location of a stack's metadata: a file in its data folder, or a PostgreSQL shared by several machines.

A folder whose metadata is in PostgreSQL contains a note with its location, and neither kind is mistaken for the other:
half of a stack would look like an empty one.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Protocol

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from penstock.foundation import clock
from penstock.foundation.database import Database, DatabaseUnavailable
from penstock.foundation.errors import Invalid
from penstock.foundation.files import durable
from penstock.foundation.migrations import Schema, find_format, migrate

FILE, NOTE = "metadata.sqlite", "postgresql"
OLDEST = 13
"""The first PostgreSQL with pg_xact_status(), which reports the outcome of a transaction."""


class MetadataLocation(Protocol):
    @property
    def place(self) -> str:
        """Return the location for messages."""
        ...

    def has_stack(self) -> bool: ...
    def open(self) -> Database:
        """Opened with the current schema."""
        ...


def find_location(folder: Path, folder_format: int, database: str | None, schema: Schema) -> MetadataLocation:
    """`folder_format` is the folder's format, 0 for a new one."""
    if database:
        return find_server(folder, folder_format, database, schema)
    if place := read_note(folder):
        raise Invalid(f"The stack in {folder} keeps its metadata in {place}. Give its address: --database URL")
    return FileLocation(folder, folder_format, schema)


def find_server(folder: Path, folder_format: int, database: str, schema: Schema) -> ServerLocation:
    """Return the server of a folder; change nothing."""
    if (folder / FILE).exists():
        raise Invalid(f"The stack in {folder} keeps its metadata in {FILE}. For PostgreSQL use another --data-dir.")
    return ServerLocation(folder, folder_format, database, schema)


def read_note(folder: Path) -> str | None:
    """The PostgreSQL of a data folder, without a password; None if the metadata is in the folder."""
    note = folder / NOTE
    return note.read_text(errors="replace").strip() if note.exists() else None


class FileLocation(msgspec.Struct, frozen=True):
    folder: Path
    found: int
    schema: Schema

    @property
    def place(self) -> str:
        return str(self.folder)

    def has_stack(self) -> bool:
        return self.found > 0

    def open(self) -> Database:
        path = self.folder / FILE
        if self.found and not path.exists():
            raise Invalid(f"The stack's database is gone from {path}. Restore it from a backup.")
        is_old = self.found < self.schema.format
        if self.found and is_old:
            name = f"metadata-format-{self.found}-{clock.now():%Y%m%dT%H%M%S}.sqlite"
            _copy_metadata(path, self.folder / "backups" / name)
        database = Database(path)
        if is_old:
            migrate(database.engine, schema=self.schema)
            _write_format(self.folder, self.schema)
        return database


class ServerLocation:
    def __init__(self, folder: Path, folder_format: int, address: str, schema: Schema) -> None:
        self._folder, self._found, self._schema = folder, folder_format, schema
        self._database = Database(address)
        self.inside = self._look_inside()
        """The format of the existing schema, 0 for none."""

    @property
    def place(self) -> str:
        return self._database.place

    def has_stack(self) -> bool:
        return self.inside > 0 or self._found > 0

    def open(self) -> Database:
        if self.inside < self._schema.format:
            try:
                migrate(self._database.engine, schema=self._schema)
            except DBAPIError as error:
                raise self._unusable(error) from error
        durable.write_file(self._folder / NOTE, f"{self.place}\n".encode())
        if self._found < self._schema.format:
            _write_format(self._folder, self._schema)
        return self._database

    def close(self) -> None:
        self._database.close()

    def _look_inside(self) -> int:
        try:
            with self._database.engine.connect() as connection:
                _check_server(connection, self.place)
                inside = find_format(connection)
        except DBAPIError as error:
            raise self._unusable(error) from error
        if inside > (newest := self._schema.format):
            raise Invalid(
                f"The stack in {self.place} has format {inside}, and this version of Penstock reads up to {newest}. "
                "Start it with the version that wrote it, or a newer one."
            )
        if self._found and not inside:
            raise Invalid(f"The stack of {self._folder} is not in {self.place}. Name its database, or restore it.")
        return inside

    def _unusable(self, error: DBAPIError) -> DatabaseUnavailable:
        reason = " ".join(str(error.orig).split())
        return DatabaseUnavailable(f"The database at {self.place} cannot be used: {reason}")


def _check_server(connection: Connection, place: str) -> None:
    version = int((connection.dialect.server_version_info or (0,))[0])
    if version < OLDEST:
        raise Invalid(f"{place} is PostgreSQL {version}; Penstock needs {OLDEST} or newer.")
    encoding = connection.execute(text("SHOW server_encoding")).scalar()
    if encoding != "UTF8":
        fix = "CREATE DATABASE penstock ENCODING 'UTF8' TEMPLATE template0"
        raise Invalid(f"{place} stores texts as {encoding}, and not every text fits. Create another one: {fix}")


def _write_format(folder: Path, schema: Schema) -> None:
    durable.write_file(folder / "format", f"{schema.format}\n".encode())


def _copy_metadata(source: Path, target: Path) -> None:
    """A consistent copy, even while the database is in use."""
    target.parent.mkdir(exist_ok=True)
    with sqlite3.connect(source) as old, sqlite3.connect(target) as new:
        old.backup(new)
    old.close()
    new.close()
    durable.sync_path(target)
