"""Maintenance of a bucket: merges small files, drops deleted rows, expires old snapshots, and removes their files.

It runs concurrently with loads and reads. A table that is being loaded is skipped until the next run; the lock of the
catalog is held only briefly; and a file is removed no sooner than an hour after its last snapshot expired, so that
readers can finish.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from penstock.foundation import clock
from penstock.foundation.files import locks
from penstock.foundation.lake.attachments import CatalogMissing
from penstock.foundation.lake.catalogs import SCHEMA, Catalog, LakeTable
from penstock.foundation.lake.compaction import MAX_SMALL_FILES, merge_small_files
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.relations import find_columns
from penstock.foundation.lake.rewrite import rewrite
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.sizes import measure
from penstock.foundation.lake.types import Column
from penstock.foundation.logging import Log

log = Log("lake")

KEEP_VERSIONS = timedelta(days=7)
KEEP_MARKS = timedelta(days=1)
"""A load that another worker takes over looks for its id, which is stored in a snapshot."""

KEEP_FILES = timedelta(hours=1)
_MANY_DELETED = 0.3
_FEW_FILES = 2


def maintain(lake: Lake, bucket: int, keep: timedelta = KEEP_VERSIONS, tables: Collection[str] = ()) -> None:
    """`tables` must exist: if the catalog does not have one of them, its files are not removed."""
    needed = {LakeTable(bucket, name).relation for name in tables}
    for home in lake.catalogs(bucket):
        if home.catalog_file.exists():
            with suppress(CatalogMissing, FileNotFoundError):  # dropped meanwhile
                for relation in _relations(home):
                    _maintain_relation(lake, home, relation, is_needed=relation in needed)
                _forget(lake, home, max(keep, KEEP_MARKS))


def _relations(home: Catalog) -> Iterator[str]:
    """Every table that has a folder, including dropped ones."""
    tables = home.folder / "data" / SCHEMA
    with suppress(FileNotFoundError):
        yield from sorted(path.name for path in tables.iterdir())


def _maintain_relation(lake: Lake, home: Catalog, relation: str, *, is_needed: bool) -> None:
    held = locks.try_to_hold(lake.writer_lock(home.bucket, relation))
    if not held:
        return
    with held, lake.session_at(home, relation, may_make=False) as session:
        columns = find_columns(session)
        if columns is None and is_needed:
            log.error("a table is lost; run `penstock doctor`", bucket=home.bucket, relation=relation)
            return
        if columns:
            maintain_table(session, columns)
        _sweep(session)


def maintain_table(session: Session, columns: list[Column]) -> None:
    """The caller holds the table's lock."""
    sizes = measure(session)
    if sizes.deleted_share > _MANY_DELETED or (sizes.deleted_rows and sizes.small_files >= MAX_SMALL_FILES):
        rewrite(session, columns)
    elif sizes.small_files >= _FEW_FILES:
        merge_small_files(session)


def _sweep(session: Session) -> None:
    """Remove files that no snapshot refers to: of loads that were killed during a commit, and of tables dropped long
    ago."""
    old = time.time() - KEEP_FILES.total_seconds()
    with suppress(FileNotFoundError):  # removed by a concurrent maintenance
        session.remove_unknown([path for path in session.folder.iterdir() if path.stat().st_mtime < old])
    if find_columns(session) is None:
        with suppress(OSError):  # not empty: an older snapshot still contains the table
            session.folder.rmdir()


def _forget(lake: Lake, home: Catalog, keep: timedelta) -> None:
    """Expire snapshots first; files that only they referred to are removed an hour later."""
    with lake.session_at(home, "", may_make=False) as session, locks.exclusive(home.commit_lock):
        _expire_snapshots(session, keep)
        _remove_due_files(session)


def _expire_snapshots(session: Session, keep: timedelta) -> None:
    # With an SQLite catalog, DuckLake's own `older_than` treats everything of the same day as older.
    snapshots = f"{session.metadata}.ducklake_snapshot"
    old = f"{_before('snapshot_time', keep)} AND snapshot_id < (SELECT max(snapshot_id) FROM {snapshots})"
    found = session.execute(f"SELECT snapshot_id FROM {snapshots} WHERE {old}").fetchall()
    if found:
        versions = f"versions => [{', '.join(str(row[0]) for row in found)}]"
        session.one(f"SELECT count(*) FROM ducklake_expire_snapshots('{session.catalog}', {versions})")


def _remove_due_files(session: Session) -> None:
    due = f"{session.metadata}.ducklake_files_scheduled_for_deletion"
    condition = _before("schedule_start", KEEP_FILES)
    found = session.execute(f"SELECT data_file_id, path, path_is_relative FROM {due} WHERE {condition}").fetchall()
    for _, path, is_relative in found:
        (session.home.folder / "data" / path if is_relative else Path(path)).unlink(missing_ok=True)
    if found:
        session.execute(f"DELETE FROM {due} WHERE data_file_id IN ({', '.join(str(row[0]) for row in found)})")


def _before(column: str, age: timedelta) -> str:
    return f"CAST({column} AS TIMESTAMPTZ) < TIMESTAMPTZ '{clock.now() - age}'"
