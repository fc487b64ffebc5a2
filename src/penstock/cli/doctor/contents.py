"""What the data folder holds: the database can be read to its end, and every file of every table is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.homes import read_note
from penstock.settings import Settings

FIX = "Restore the last backup into a new folder: penstock restore FILE --data-dir NEW"
_FILES = "SELECT path FROM ducklake_data_file UNION ALL SELECT path FROM ducklake_delete_file"


class Damage(Exception):
    """What is wrong, in words."""


def examine(settings: Settings) -> Iterator[Check]:
    if (settings.folder / "format").exists():
        if not settings.database and not read_note(settings.folder):
            yield check_database(settings.folder)
        yield check_tables(settings.folder / "lake")


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


def check_tables(lake: Path) -> Check:
    """Each bucket has a catalog that says which files make up its tables."""
    catalogs, files = sorted(lake.glob("*/catalog.sqlite")), 0
    damage: list[str] = []
    for catalog in catalogs:
        try:
            files += _check_catalog(catalog)
        except Damage as error:
            damage.append(f"{catalog} {error}")
    if damage:
        more = f", and {len(damage) - 1} more like it" if len(damage) > 1 else ""
        return wrong("tables", f"{damage[0]}{more}", FIX)
    return ok("tables", f"{len(catalogs)} catalogs, and the {files} files that they name are there")


def _check_catalog(catalog: Path) -> int:
    """How many files it names."""
    with closing(_open(catalog)) as database:
        _check_pages(database)
        names = _read_names(database)
        there = {file.name for file in (catalog.parent / "data").rglob("*")}
        # Asked again: what is gone since then was cleaned up while we looked.
        missing = sorted((names - there) & _read_names(database)) if names - there else []
    if missing:
        raise Damage(f"names the file {missing[0]}, which is not there")
    return len(names)


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise Damage("is missing")
    try:
        return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=20)
    except sqlite3.Error as error:
        raise Damage(f"cannot be opened: {error}") from error


def _check_pages(database: sqlite3.Connection) -> None:
    found = _ask(database, "PRAGMA quick_check(1)")
    if found != [("ok",)]:
        raise Damage(f"is damaged: {found[0][0]}")


def _read_format(database: sqlite3.Connection) -> int:
    rows = _ask(database, "SELECT version_num FROM alembic_version")
    return int(rows[0][0]) if rows else 0


def _read_names(database: sqlite3.Connection) -> set[str]:
    """Without their folders, which move with the data folder; no two files have one name."""
    if not _ask(database, "SELECT 1 FROM sqlite_master WHERE name = 'ducklake_data_file'"):
        return set()  # an earlier version began it and was killed; the next load makes it
    return {Path(row[0]).name for row in _ask(database, _FILES)}


def _ask(database: sqlite3.Connection, question: str) -> list[tuple[str, ...]]:
    try:
        return database.execute(question).fetchall()
    except sqlite3.Error as error:
        raise Damage(f"is damaged: {error}") from error
