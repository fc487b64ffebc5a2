"""What a run read and wrote: its imports and exports of tables, and its files."""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.storage.models.stats import (
    FileStats,
    FileTotals,
    RunStats,
    TableCount,
    TableStats,
    TransferStats,
)
from penstock.services.storage.operations.permissions import may_read_all_files
from penstock.services.storage.store import events, files

IMPORT, EXPORT = "storage.tableImportDone", "storage.tableExported"


def find_stats(tx: Transaction, caller: Caller, run_id: str) -> RunStats:
    """Return the statistics of a run and its children, as far as the caller may see its events and files."""
    if not run_id:
        raise Invalid("Invalid request:\n - runId: Say which run: the value of X-KBC-RunId in its requests.")
    about = events.About(None if caller.is_master else caller.token_id, branch_id=caller.branch_filter)
    imports, exports = (events.count_by_object(tx, caller.project_id, about, run_id, each) for each in (IMPORT, EXPORT))
    token_id = None if may_read_all_files(caller) else caller.token_id
    count, size = files.measure_run(tx, caller.project_id, run_id, token_id, caller.branch_filter)
    return RunStats(
        tables=TableStats(imports=_view(imports), exports=_view(exports)),
        files=FileStats(total=FileTotals(count=count, data_size_bytes=size)),
    )


def _view(counts: list[tuple[str, int]]) -> TransferStats:
    tables = [TableCount(id=table_id, count=count) for table_id, count in counts]
    return TransferStats(total_count=sum(count for _, count in counts), tables=tables)
