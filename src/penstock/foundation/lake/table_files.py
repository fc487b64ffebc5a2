"""The files of a table's current version, for an engine that reads them without the catalog.

Files are not rewritten when a column is added, renamed or dropped, and not when rows are deleted. So each comes with
the names of the columns in it, and with the file that lists its deleted rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.errors import NoSuchTable
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.session import Session


class StoredColumn(msgspec.Struct, frozen=True):
    id: int
    """The number of the column in files that were written by the catalog's engine."""
    name: str
    type: str
    default: str | None
    """The value of rows in files that are older than the column."""


class StoredFile(msgspec.Struct, frozen=True):
    path: Path
    deletes: Path | None
    """A Parquet file with the positions of deleted rows, in the column `pos`."""
    names: Mapping[int, str] | None
    """The names of columns in the file, by their numbers; None if the file has the numbers itself."""


class TableFiles(msgspec.Struct, frozen=True):
    columns: list[StoredColumn]
    """Hidden columns included."""
    files: list[StoredFile]


def find_files(lake: Lake, table: LakeTable) -> TableFiles:
    with lake.existing(table) as session:
        session.execute("BEGIN TRANSACTION READ ONLY")
        try:
            return _read(session, table)
        finally:
            session.duck.execute("ROLLBACK")


def _read(session: Session, table: LakeTable) -> TableFiles:
    current = f"FROM {session.metadata}.ducklake_table WHERE {session.is_current}"
    found = session.execute(f"SELECT max(table_id) {current}").fetchall()
    if not found or found[0][0] is None:
        raise NoSuchTable(table.name)
    number = int(found[0][0])
    return TableFiles(_read_columns(session, number), _read_files(session, number))


def _read_columns(session: Session, number: int) -> list[StoredColumn]:
    types = {name: kind for name, kind, *_ in session.execute(f"DESCRIBE {session.address}").fetchall()}
    rows = session.execute(
        f"SELECT column_id, column_name, initial_default FROM {session.metadata}.ducklake_column "
        f"WHERE table_id = {number} AND end_snapshot IS NULL AND parent_column IS NULL ORDER BY column_order"
    ).fetchall()
    return [StoredColumn(int(id_), name, types[name], default) for id_, name, default in rows]


def _read_files(session: Session, number: int) -> list[StoredFile]:
    names = _read_mappings(session, number)
    rows = session.execute(
        "SELECT f.path, f.path_is_relative, d.path, d.path_is_relative, f.mapping_id "
        f"FROM {session.metadata}.ducklake_data_file AS f LEFT JOIN {session.metadata}.ducklake_delete_file AS d "
        "ON d.data_file_id = f.data_file_id AND d.end_snapshot IS NULL "
        f"WHERE f.table_id = {number} AND f.end_snapshot IS NULL ORDER BY f.data_file_id"
    ).fetchall()
    return [
        StoredFile(
            _locate(session, path, is_relative),
            _locate(session, deletes, deletes_is_relative) if deletes else None,
            None if mapping is None else names.get(int(mapping), {}),
        )
        for path, is_relative, deletes, deletes_is_relative, mapping in rows
    ]


def _read_mappings(session: Session, number: int) -> dict[int, dict[int, str]]:
    metadata = session.metadata
    rows = session.execute(
        f"SELECT n.mapping_id, n.target_field_id, n.source_name FROM {metadata}.ducklake_name_mapping AS n "
        f"JOIN {metadata}.ducklake_column_mapping AS m ON m.mapping_id = n.mapping_id "
        f"WHERE m.table_id = {number} AND n.parent_column IS NULL"
    ).fetchall()
    found: dict[int, dict[int, str]] = {}
    for mapping, column, name in rows:
        found.setdefault(int(mapping), {})[int(column)] = name
    return found


def _locate(session: Session, path: Any, is_relative: Any) -> Path:
    return session.folder / str(path) if is_relative else Path(str(path))
