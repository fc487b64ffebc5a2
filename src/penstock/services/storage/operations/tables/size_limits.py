"""Limits of a project for the rows and the bytes of its tables: what would exceed them is refused, and changes nothing.

A load that passes reserves what its table will have until that is recorded, so that loads into several tables at the
same time do not exceed a limit together.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress

from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.lake.loads import CheckSize
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.management.interface import STORAGE_BYTES, STORAGE_ROWS
from penstock.services.storage.store import buckets, reservations, tables
from penstock.services.storage.store.reservations import TablePlace


class TooMuchData(Invalid):
    code = "storage.limitExceeded"

    def __init__(self, project_id: int, limit: str, most: float, size: int) -> None:
        what = "rows" if limit == STORAGE_ROWS else "bytes"
        super().__init__(
            f"The tables of project {project_id} may have {most:,.0f} {what} (limit {limit}), and would have "
            f"{size:,} after this load. Nothing was changed. Delete rows or tables, or ask for a higher limit."
        )


@contextmanager
def checking_size(stack: Stack, place: TablePlace) -> Generator[CheckSize | None]:
    """What a load into a table has to pass before its commit, if the project has such a limit. What it reserves is
    released if the load fails before its table is recorded."""
    check = _find_check(stack, place)
    try:
        yield check
    except Exception:
        if check:  # if this fails too, what is reserved expires
            with suppress(Exception), stack.database.writing(place.project_id) as tx:
                reservations.release(tx, place)
        raise


def _find_check(stack: Stack, place: TablePlace) -> CheckSize | None:
    with stack.database.reading() as tx:
        limits = management.get_project(tx, place.project_id).limits
    if not limits.keys() & {STORAGE_ROWS, STORAGE_BYTES}:
        return None

    def check(table_rows: int, table_bytes: int) -> None:
        with stack.database.writing(place.project_id) as tx:
            rows, size = _measure_others(tx, place)
            for limit, wanted in ((STORAGE_ROWS, rows + table_rows), (STORAGE_BYTES, size + table_bytes)):
                most = limits.get(limit)
                if most is not None and wanted > most:
                    raise TooMuchData(place.project_id, limit, most, wanted)
            reservations.reserve(tx, place, table_rows, table_bytes)

    return check


def _measure_others(tx: Transaction, place: TablePlace) -> tuple[int, int]:
    """Rows and bytes of all other tables, with what is reserved for them."""
    rows, size = buckets.measure_project(tx, place.project_id)
    own_rows, own_size = _measure(tx, place)
    rows, size = rows - own_rows, size - own_size
    for each in reservations.list_reservations(tx, place.project_id):
        if each.place != place:
            known_rows, known_size = _measure(tx, each.place)
            rows += max(0, each.rows_count - known_rows)
            size += max(0, each.data_size_bytes - known_size)
    return rows, size


def _measure(tx: Transaction, place: TablePlace) -> tuple[int, int]:
    known = tables.find_table(tx, place.project_id, place.branch_id, place.bucket_id, place.name)
    return (known.rows_count, known.data_size_bytes) if known else (0, 0)
