"""Swap two tables: each gets the rows, columns, types and primary key of the other.

Table names are the places of rows in the lake, so rows are copied. The rows of the first table are kept as a snapshot
until both tables have been written: whatever fails meanwhile, no row is lost.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import Loaded, copy_table, is_copied
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable, SwapInterrupted, SwapUndone
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import COLUMN
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.operations import metadata
from penstock.services.storage.operations.tables.changes import plan_change, publish_change, using_bucket
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.records import record_change
from penstock.services.storage.operations.tables.snapshots import drop_snapshot, snapshot_place, store_snapshot
from penstock.services.storage.operations.tables.tables import Located, get_own_table
from penstock.services.storage.store import jobs, tables


class Pair(msgspec.Struct, frozen=True):
    first: Located
    second: Located


def plan_swap(tx: Transaction, caller: Caller, table_id: str, target_id: str) -> JobRow:
    """A job that swaps them. Raises immediately if they cannot be swapped."""
    if not target_id:
        raise InvalidTable("targetTableId is missing: the id of the table to swap with, such as in.c-main.customers.")
    pair = _get_pair(tx, caller, table_id, target_id)
    if pair.first.row.id == pair.second.row.id:
        raise InvalidTable(f'The table "{table_id}" cannot be swapped with itself; targetTableId is another table.')
    params = {"targetTableId": target_id, "_snapshotId": ids.new_id(tx), "_isSwapped": False}
    return plan_change(tx, caller, "tableSwap", table_id, params)


def swap_tables(stack: Stack, caller: Caller, job: JobRow) -> None:
    """Each step leaves a mark, so that a repetition goes on after the last one."""
    if not job.params["_isSwapped"]:
        with _locked_pair(stack, caller, job) as pair:
            _exchange(stack, caller, job, pair)
    drop_snapshot(stack, job.project_id, job.params["_snapshotId"])


def _get_pair(tx: Transaction, caller: Caller, table_id: str, target_id: str) -> Pair:
    pair = Pair(get_own_table(tx, caller, table_id), get_own_table(tx, caller, target_id))
    _check_aliases(tx, pair.first.row, pair.second.row.columns)
    _check_aliases(tx, pair.second.row, pair.first.row.columns)
    return pair


def _check_aliases(tx: Transaction, row: TableRow, columns: list[str]) -> None:
    """Aliases stay with the name of their table, so it must have the columns that they name afterwards too."""
    for alias in tables.list_aliases(tx, row):
        names = [*(alias.alias_columns or []), *([alias.alias_filter["column"]] if alias.alias_filter else [])]
        for name in names:
            if name not in columns:
                raise InvalidTable(
                    f'The alias "{alias.id}" uses the column "{name}", which the table "{row.id}" would not have after '
                    "the swap. Delete the alias, or add the column to the other table first."
                )


@contextmanager
def _locked_pair(stack: Stack, caller: Caller, job: JobRow) -> Generator[Pair]:
    """Both tables, read again under their locks, which are always taken in the same order."""
    pair = _read_pair(stack, caller, job)
    places = sorted((pair.first.place, pair.second.place), key=lambda place: (place.bucket, place.relation))
    with ExitStack() as held:
        for number in sorted({place.bucket for place in places}):
            held.enter_context(using_bucket(stack, number))
        for place in places:
            held.enter_context(stack.lake.one_writer(place))
        yield _read_pair(stack, caller, job)


def _read_pair(stack: Stack, caller: Caller, job: JobRow) -> Pair:
    with stack.database.reading() as tx:
        return _get_pair(tx, caller, job.table_id or "", job.params["targetTableId"])


def _exchange(stack: Stack, caller: Caller, job: JobRow, pair: Pair) -> None:
    first, second = pair.first, pair.second
    with detecting_loss(stack, first.place, first.row.id):
        _keep_first(stack, caller, job, pair)
    with detecting_loss(stack, second.place, second.row.id):
        first_load = copy_table(stack.lake, second.place, first.place, copy_id=_copy_id(job))
    second_load = _fill_second(stack, job, pair)
    with stack.database.writing(caller.project_id) as tx:
        _record(tx, stack, caller, first, second.row, first_load)
        _record(tx, stack, caller, second, first.row, second_load)
        ids_below = (f"{first.row.id}.", f"{second.row.id}.")
        metadata.swap_metadata_below(tx, first.row.project_id, first.row.branch_id, COLUMN, *ids_below)
        # With the records: a repetition must not swap them back.
        jobs.change_claimed(tx, job, params={**job.params, "_isSwapped": True})


def _keep_first(stack: Stack, caller: Caller, job: JobRow, pair: Pair) -> None:
    """Store the snapshot, unless an earlier attempt has: then the table may already have other rows."""
    first = pair.first
    if is_copied(stack.lake, first.place, _undo_id(job)):
        raise SwapUndone(first.row.id)
    if not is_copied(stack.lake, first.place, _copy_id(job)):
        what = f"Before the swap with {pair.second.row.id}"
        store_snapshot(stack, caller, first, job.params["_snapshotId"], what)


def _fill_second(stack: Stack, job: JobRow, pair: Pair) -> Loaded:
    kept = snapshot_place(job.params["_snapshotId"])
    try:
        return copy_table(stack.lake, kept, pair.second.place, copy_id=_copy_id(job))
    except Exception:
        _undo(stack, job, pair)
        raise


def _undo(stack: Stack, job: JobRow, pair: Pair) -> None:
    """Restore the first table; if that fails too, the error names the snapshot, which is kept."""
    first, snapshot_id = pair.first, int(job.params["_snapshotId"])
    try:
        copy_table(stack.lake, snapshot_place(snapshot_id), first.place, copy_id=_undo_id(job))
    except Exception as error:
        raise SwapInterrupted(first.row.id, pair.second.row.id, snapshot_id) from error
    drop_snapshot(stack, job.project_id, snapshot_id)


def _record(tx: Transaction, stack: Stack, caller: Caller, located: Located, other: TableRow, load: Loaded) -> None:
    row = record_change(
        tx,
        stack.lake,
        located.bucket,
        located.row,
        columns=other.columns,
        primary_key=other.primary_key,
        types=other.types,
        imported=other.imported,
        rows_count=load.rows_count,
        data_size_bytes=load.data_size_bytes,
    )
    publish_change(tx, caller, "storage.tableSwapped", row, f"Swapped with {other.id}:")


def _copy_id(job: JobRow) -> str:
    return f"swap-{job.id}"


def _undo_id(job: JobRow) -> str:
    return f"swap-{job.id}-undone"
