"""Limits of a project for the rows and the bytes of its tables: what would exceed them is refused, and changes nothing.

Loads into several tables at the same time do not know of each other: together they may exceed a limit by what they add.
"""

from __future__ import annotations

from penstock.foundation.errors import Invalid
from penstock.foundation.lake.loads import CheckSize
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.management.interface import STORAGE_BYTES, STORAGE_ROWS
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.store import buckets


class TooMuchData(Invalid):
    code = "storage.limitExceeded"

    def __init__(self, project_id: int, limit: str, most: float, wanted: int) -> None:
        what = "rows" if limit == STORAGE_ROWS else "bytes"
        super().__init__(
            f"The tables of project {project_id} may have {most:,.0f} {what} (limit {limit}), and would have "
            f"{wanted:,} after this load. Nothing was changed. Delete rows or tables, or ask for a higher limit."
        )


def find_check(stack: Stack, project_id: int, known: TableRow | None) -> CheckSize | None:
    """What a load into a table has to pass, if the project has such a limit."""
    with stack.database.reading() as tx:
        limits = management.get_project(tx, project_id).limits
        if not limits.keys() & {STORAGE_ROWS, STORAGE_BYTES}:
            return None
        rows, size = buckets.measure_project(tx, project_id)
    others = (rows - (known.rows_count if known else 0), size - (known.data_size_bytes if known else 0))

    def check(table_rows: int, table_bytes: int) -> None:
        for limit, wanted in ((STORAGE_ROWS, others[0] + table_rows), (STORAGE_BYTES, others[1] + table_bytes)):
            most = limits.get(limit)
            if most is not None and wanted > most:
                raise TooMuchData(project_id, limit, most, wanted)

    return check
