"""Find out whether the Parquet files of a table are exactly the requested rows: an export can then hand them over as
they are stored, without reading a row."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.lake.catalogs import SCHEMA
from penstock.foundation.lake.query import Query, Types, chosen
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.types import HIDDEN, TIMESTAMP
from penstock.foundation.text.quoting import quote_value

MAX_FILES = 32
"""More files are written as one, which is faster to download and to read."""

_INTERNAL = "_ducklake_internal_"


def find_stored_files(session: Session, query: Query, types: Types) -> list[Path] | None:
    """The files of the table in order, if all of their rows and columns are requested; else None.

    They also contain the hidden columns, so they are an option only if the query selects one of these.
    """
    if not query.is_everything or query.order_by or set(chosen(query, types)) != {*types, TIMESTAMP}:
        return None
    listed = f"FROM ducklake_list_files('{session.catalog}', '{session.relation}', schema => '{SCHEMA}')"
    rows = session.execute(f"SELECT data_file, delete_file {listed}").fetchall()
    if not 0 < len(rows) <= MAX_FILES or any(deleted for _, deleted in rows):
        return None
    files = [Path(name) for name, _ in rows]
    return files if all(_holds(session, file, types) for file in files) else None


def _holds(session: Session, file: Path, types: Types) -> bool:
    """Whether the file has the current columns and no dropped one: files are not rewritten when a column changes."""
    described = session.execute(f"DESCRIBE FROM read_parquet({quote_value(file)})").fetchall()
    found = {name: kind for name, kind, *_ in described if name not in HIDDEN and not name.startswith(_INTERNAL)}
    return found == dict(types)
