"""The structure of a table: create, add columns, alter, drop. All of these are idempotent."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Mapping
from contextlib import suppress

from penstock.foundation.files import locks
from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.errors import CatalogLost
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.relations import columns_of, ensure_columns, find_columns
from penstock.foundation.lake.rewrite import change_types
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.staging import empty_staging
from penstock.foundation.lake.types import DIGEST, HIDDEN, Column
from penstock.foundation.text.quoting import folded, quote_name, quote_value


def create_table(lake: Lake, table: LakeTable, columns: list[Column]) -> None:
    with lake.one_writer(table), lake.session(table) as session:
        ensure_columns(session, columns)


def add_column(lake: Lake, table: LakeTable, column: Column) -> None:
    with lake.one_writer(table), lake.session(table) as session:
        if table.is_known:
            columns_of(session, table)
        ensure_columns(session, [column])


def drop_column(lake: Lake, table: LakeTable, name: str) -> None:
    if not lake.catalogs(table.bucket):
        return
    with lake.one_writer(table), lake.session(table) as session:
        if any(folded(column.name) == folded(name) for column in find_columns(session) or []):
            with session.commit():
                session.execute(f"ALTER TABLE {session.address} DROP COLUMN {quote_name(name)}")
                _forget_digests(session)


def _forget_digests(session: Session) -> None:
    """Delete the digests: they were computed from values that no longer exist. Rows without a digest are compared value
    by value."""
    session.execute(f"ALTER TABLE {session.address} DROP COLUMN {DIGEST}")
    session.execute(f"ALTER TABLE {session.address} ADD COLUMN {DIGEST} {HIDDEN[DIGEST]}")


def change_columns(lake: Lake, table: LakeTable, columns: list[Column]) -> None:
    """Change types and defaults. `columns` are all of the table: digests of rows depend on each of them. Rows are
    rewritten only for another type; a default is for rows that are loaded later."""
    with lake.one_writer(table), lake.session(table) as session, empty_staging(session) as folder:
        known, names = columns_of(session, table), {folded(column.name): column for column in columns}
        if any(each.storage_type != names.get(folded(each.name), each).storage_type for each in known):
            change_types(session, folder, known, columns)
        else:
            _set_defaults(session, known, names)


def _set_defaults(session: Session, existing: list[Column], columns: Mapping[str, Column]) -> None:
    changed = [new for old in existing if (new := columns.get(folded(old.name))) and new.default != old.default]
    if changed:
        with session.commit():
            for column in changed:
                value = "DROP DEFAULT" if column.default is None else f"SET DEFAULT {quote_value(column.default)}"
                session.execute(f"ALTER TABLE {session.address} ALTER COLUMN {quote_name(column.name)} {value}")


def drop_table(lake: Lake, table: LakeTable) -> None:
    """Drop the table; its files are retained until no snapshot refers to them: see maintenance."""
    if not lake.catalogs(table.bucket):
        return
    # If the catalog is lost, there is nothing to drop the table from.
    with suppress(CatalogLost), lake.one_writer(table), lake.session(table) as session:
        if find_columns(session) is not None:
            with session.commit():
                session.execute(f"DROP TABLE IF EXISTS {session.address}")


def drop_bucket(lake: Lake, bucket: int) -> None:
    """Remove its folders with everything in them. Numbers of buckets are never reused."""
    for home in reversed(lake.catalogs(bucket)):
        lake.detach(home)
        gone = lake.folder / "tmp" / f"dropped-{uuid.uuid4().hex}"
        gone.parent.mkdir(parents=True, exist_ok=True)
        with locks.exclusive(home.commit_lock):
            home.folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
