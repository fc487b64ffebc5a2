"""Detect lost tables: a table that is recorded but missing from the lake is damage, never an empty table."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from penstock.foundation.lake import DamagedFile, LakeTable, NoSuchTable
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import SnapshotLost, TableDamaged, TableLost
from penstock.services.storage.models.snapshots import SnapshotRow
from penstock.services.storage.store import buckets, snapshots

log = Log("storage")


@contextmanager
def detecting_loss(stack: Stack, place: LakeTable, table_id: str) -> Generator[None]:
    """Raise TableLost if the table in the block is recorded but missing from its catalog. Costs nothing otherwise."""
    try:
        yield
    except NoSuchTable as error:
        with stack.database.reading() as tx:
            names = buckets.list_table_names(tx, place.bucket)
        if place.name not in names:
            raise
        log.error("a table is lost; run `penstock doctor`", bucket=place.bucket, table=table_id)
        raise TableLost(table_id) from error
    except DamagedFile as error:
        raise TableDamaged(table_id) from error


@contextmanager
def detecting_snapshot_loss(stack: Stack, row: SnapshotRow) -> Generator[None]:
    """The same for a snapshot: it was deleted meanwhile, or it is lost."""
    try:
        yield
    except (NoSuchTable, DamagedFile) as error:
        with stack.database.reading() as tx:
            is_there = snapshots.find_snapshot(tx, row.project_id, row.id)
        if not is_there:
            raise
        log.error("a snapshot is lost; run `penstock doctor`", snapshot=row.id)
        raise SnapshotLost(row.id) from error
