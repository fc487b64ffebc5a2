"""Earlier versions of a table in its catalog, and permanent copies.

Every commit is a version, and maintenance removes versions older than a week. Snapshots that must last longer are
copied into a separate table: that costs the bytes of the table, but is independent of the table, its catalog and its
bucket.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime

from penstock.foundation.files import durable
from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.errors import NoSuchTable
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.loads import CheckSize, Loaded
from penstock.foundation.lake.query import Query, chosen
from penstock.foundation.lake.reads import from_where
from penstock.foundation.lake.relations import columns_of
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.sizes import measure
from penstock.foundation.lake.staging import empty_staging, replace_rows, write_parquet
from penstock.foundation.lake.types import DIGEST, Column
from penstock.foundation.lake.values import NO_DIGEST, with_hidden
from penstock.foundation.text.quoting import name_list, quote_value


def current_version(lake: Lake, table: LakeTable) -> int:
    with lake.existing(table) as session:
        return int(session.one(f"SELECT max(snapshot_id) FROM {session.metadata}.ducklake_snapshot")[0])


def version_at(lake: Lake, table: LakeTable, moment: datetime) -> int | None:
    """The version that was current then; None if it was removed, or the table did not exist."""
    with _missing_only_if_unknown(table), lake.existing(table) as session:
        if table.is_known:
            columns_of(session, table)
        at = f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}+00"
        found = session.one(
            f"SELECT max(snapshot_id) FROM {session.metadata}.ducklake_snapshot "
            f"WHERE CAST(snapshot_time AS TIMESTAMPTZ) <= CAST({quote_value(at)} AS TIMESTAMPTZ)"
        )[0]
        return int(found) if found is not None and _was_there(session, int(found)) else None
    return None


@contextmanager
def _missing_only_if_unknown(table: LakeTable) -> Generator[None]:
    """A table that is known to exist must be in the catalog."""
    try:
        yield
    except NoSuchTable:
        if table.is_known:
            raise


def _was_there(session: Session, version: int) -> bool:
    tables = f"{session.metadata}.ducklake_table"
    then = f"begin_snapshot <= {version} AND (end_snapshot IS NULL OR end_snapshot > {version})"
    statement = f"SELECT count(*) FROM {tables} WHERE table_name = {quote_value(session.relation)} AND {then}"
    return bool(session.one(statement)[0])


def copy_table(
    lake: Lake,
    source: LakeTable,
    target: LakeTable,
    version: int | None = None,
    query: Query | None = None,
    check_size: CheckSize | None = None,
    copy_id: str | None = None,
) -> Loaded:
    """Replace the rows of a table with those of another; it is created if needed. The rows count as new. `check_size`
    is called before the commit, as for a load. Repeated with the same id, it changes nothing."""
    with lake.one_writer(target), lake.session(target) as session:
        if copy_id is None or session.find_note(copy_id) is None:
            _replace(lake, session, source, version, query, check_size, copy_id)
        sizes = measure(session)
    return Loaded(imported_rows=sizes.rows, rows_count=sizes.rows, data_size_bytes=sizes.bytes)


def is_copied(lake: Lake, target: LakeTable, copy_id: str) -> bool:
    """Whether a copy was already committed. The caller holds the table's lock: one_writer()."""
    with lake.existing(target) as session:
        return session.find_note(copy_id) is not None


def _replace(
    lake: Lake,
    session: Session,
    source: LakeTable,
    version: int | None,
    query: Query | None,
    check_size: CheckSize | None,
    copy_id: str | None,
) -> None:
    with empty_staging(session) as folder:
        with lake.existing(source) as origin:
            columns, rows = _select(origin, source, query or Query(), version)
            staged, count = write_parquet(origin, folder, rows, len(columns))
        durable.sync_path(staged)
        with session.commit(copy_id, count):
            replace_rows(session, columns, staged)
            if check_size:
                check_size(count, staged.stat().st_size)


def _select(session: Session, table: LakeTable, query: Query, version: int | None) -> tuple[list[Column], str]:
    known = {column.name: column for column in columns_of(session, table, version)}
    types = {column.name: column.type for column in known.values()}
    columns = [known[name] for name in chosen(query, types)]
    # Rows with fewer columns have another digest, which is computed when they are compared.
    is_whole = len(columns) == len(known)
    names = name_list([*[column.name for column in columns], *([DIGEST] if is_whole else [])])
    rows = f"SELECT {names} {from_where(session, query, types, version)}"
    return columns, with_hidden(rows, DIGEST if is_whole else NO_DIGEST)
