"""The contents of the stack: its database is readable to its end, and every file of every table exists."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError

from penstock.app import find_schema
from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.database import Database
from penstock.foundation.errors import AppError
from penstock.foundation.ids import sequences
from penstock.foundation.lake.catalogs import LakeTable, find_catalog
from penstock.foundation.stack import read_format
from penstock.foundation.stack.catalog_versions import PREFIX
from penstock.foundation.stack.metadata_locations import find_server, read_note
from penstock.settings import Settings

FIX = "Restore the last backup into a new folder: penstock restore FILE --data-dir NEW"
_FILES = (
    "SELECT path, file_size_bytes FROM ducklake_data_file "
    "UNION ALL SELECT path, file_size_bytes FROM ducklake_delete_file"
)
_TABLES = "SELECT table_name FROM ducklake_table WHERE end_snapshot IS NULL"
_KNOWN = (
    "SELECT b.number, t.name FROM storage_tables t JOIN storage_buckets b ON b.project_id = t.project_id "
    "AND b.branch_id = t.branch_id AND b.id = t.bucket_id WHERE t.source_table_id IS NULL"
)
_SNAPSHOTS = "SELECT id, 'rows' FROM storage_snapshots"
_NOTED = f"SELECT name, value FROM {sequences.name} WHERE name LIKE '{PREFIX}%'"
_VERSION = "SELECT coalesce(max(snapshot_id), 0) FROM ducklake_snapshot"
_MARK = b"PAR1"


class Damage(Exception):
    """A description of the damage."""


def examine(settings: Settings) -> Iterator[Check]:
    if (settings.folder / "format").exists():
        if not settings.database and not read_note(settings.folder):
            yield check_database(settings.folder)
        tables, noted = _read_metadata(settings)
        yield check_tables(settings.folder / "lake", tables, noted)
    yield from _examine_server(settings)


def check_database(folder: Path) -> Check:
    path = folder / "metadata.sqlite"
    try:
        with closing(_open(path)) as database:
            _check_pages(database)
            inside = _read_format(database)
    except Damage as error:
        return wrong("database", f"{path} {error}", FIX)
    outside = (folder / "format").read_text(errors="replace").strip()
    if str(inside) != outside:
        return note("database", f"whole; inside it has format {inside}, the folder says {outside}")
    return ok("database", f"whole; format {inside}")


def check_tables(lake: Path, lake_tables: Collection[LakeTable] = (), noted: Mapping[str, int] | None = None) -> Check:
    """Each bucket has a catalog that lists the files of its tables. `known` are the tables in the database, and `noted`
    the minimum version of the catalog in each folder."""
    catalogs, files = sorted(lake.glob("*/catalog.sqlite")), 0
    damage: list[str] = []
    for catalog in catalogs:
        try:
            files += _check_catalog(catalog)
        except Damage as error:
            damage.append(f"{catalog} {error}")
    damage += _find_lost(lake, lake_tables, noted or {})
    if damage:
        more = f", and {len(damage) - 1} more like it" if len(damage) > 1 else ""
        return wrong("tables", f"{damage[0]}{more}", FIX)
    return ok("tables", f"{len(catalogs)} catalogs, and the {files} files that they name are there")


def _check_catalog(catalog: Path) -> int:
    """The number of files that it lists."""
    with closing(_open(catalog)) as database:
        _check_pages(database)
        sizes = _read_sizes(database)
        there = {file.name: file for file in (catalog.parent / "data").rglob("*")}
        # Checked again: files that are gone by then were removed by maintenance in the meantime.
        missing = sorted((sizes.keys() - there) & _read_sizes(database).keys()) if sizes.keys() - there else []
    if missing:
        raise Damage(f"names the file {missing[0]}, which is not there")
    for name, size in sizes.items():
        if name in there and not _is_whole(there[name], size):
            raise Damage(f"names the file {there[name]}, which is damaged")
    return len(sizes)


def _is_whole(file: Path, size: int) -> bool:
    """Check that its size is the one in the catalog, and that it has the magic bytes of a Parquet file at both ends."""
    try:
        with file.open("rb") as opened:
            begin = opened.read(len(_MARK))
            opened.seek(-len(_MARK), os.SEEK_END)
            return begin == opened.read(len(_MARK)) == _MARK and file.stat().st_size == size
    except FileNotFoundError:
        return True  # removed by maintenance in the meantime
    except OSError:
        return False


def _find_lost(lake: Path, lake_tables: Collection[LakeTable], noted: Mapping[str, int]) -> list[str]:
    """Tables in the database that no catalog has, or only an outdated one: it is missing, empty, or an old copy."""
    by_catalog: dict[Path, list[LakeTable]] = {}
    for table in lake_tables:
        by_catalog.setdefault(find_catalog(lake, table).catalog_file, []).append(table)
    return [text for catalog, tables in by_catalog.items() for text in _list_lost(catalog, tables, noted)]


def _list_lost(catalog: Path, tables: list[LakeTable], noted: Mapping[str, int]) -> list[str]:
    try:
        with closing(_open(catalog)) as database:
            rows = {row[0] for row in _query(database, _TABLES)}
            version, least = int(_query(database, _VERSION)[0][0]), noted.get(catalog.parent.name, 0)
    except Damage as error:
        return [f"{catalog} {error}, and so are the rows of {len(tables)} tables"]
    if version < least:
        return [f"{catalog} is older than the database: it has version {version}, and {least} was recorded"]
    return [f'{catalog} does not know the table "{each.name}"' for each in tables if each.relation not in rows]


def _read_metadata(settings: Settings) -> tuple[list[LakeTable], dict[str, int]]:
    """The tables and snapshots that must exist, and the minimum version of each catalog, by the name of its folder.
    Empty if the database cannot be read, or is older: other checks report that."""
    try:
        table_rows, snapshots, noted = _query_metadata(settings, (_KNOWN, _SNAPSHOTS, _NOTED))
    except (Damage, AppError, SQLAlchemyError):
        return [], {}
    tables = [LakeTable(int(number), str(name)) for number, name in (*table_rows, *snapshots)]
    return tables, {str(name).removeprefix(PREFIX): int(value) for name, value in noted}


def _query_metadata(settings: Settings, queries: Sequence[str]) -> list[Sequence[Any]]:
    address = settings.database or read_note(settings.folder)
    if address:
        with closing(Database(address)) as server, server.reading() as tx:
            return [tx.connection.exec_driver_sql(query.replace("%", "%%")).fetchall() for query in queries]
    with closing(_open(settings.folder / "metadata.sqlite")) as database:
        return [_query(database, query) for query in queries]


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise Damage("is missing")
    try:
        return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=20)
    except sqlite3.Error as error:
        raise Damage(f"cannot be opened: {error}") from error


def _check_pages(database: sqlite3.Connection) -> None:
    rows = _query(database, "PRAGMA quick_check(1)")
    if rows != [("ok",)]:
        raise Damage(f"is damaged: {rows[0][0]}")


def _read_format(database: sqlite3.Connection) -> int:
    rows = _query(database, "SELECT version_num FROM alembic_version")
    return int(rows[0][0]) if rows else 0


def _read_sizes(database: sqlite3.Connection) -> dict[str, int]:
    """Return the sizes by name, without the folders, which move with the data folder; names are unique."""
    if not _query(database, "SELECT 1 FROM sqlite_master WHERE name = 'ducklake_data_file'"):
        return {}  # left incomplete by an earlier version; the next load creates it
    return {Path(name).name: int(size) for name, size in _query(database, _FILES)}


def _query(database: sqlite3.Connection, sql: str) -> list[tuple[str, ...]]:
    try:
        return database.execute(sql).fetchall()
    except sqlite3.Error as error:
        raise Damage(f"is damaged: {error}") from error


SERVER_FIX = "Check that PostgreSQL runs and accepts your login, or correct the setting: --database URL"


def _examine_server(settings: Settings) -> Iterator[Check]:
    location = read_note(settings.folder)
    if settings.database:
        yield check_server(settings.folder, settings.database)
    elif location:
        yield wrong("database", f"the stack keeps its metadata in {location}", "Give its address: --database URL")


def check_server(folder: Path, address: str) -> Check:
    """Check that the PostgreSQL of a stack responds, has a supported version, and contains this stack."""
    schema = find_schema()
    try:
        location = find_server(folder, read_format(folder), address, schema)
    except AppError as error:
        return wrong("database", error.message, SERVER_FIX)
    location.close()
    if location.inside < schema.format:
        what = f"has format {location.inside}" if location.inside else "is empty"
        return note("database", f"{location.place} {what}; the next start brings it to {schema.format}")
    return ok("database", f"{location.place}; format {location.inside}")
