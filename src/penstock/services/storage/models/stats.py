"""What a run read and wrote."""

from __future__ import annotations

import msgspec

from penstock.foundation.structs import Wire


class StatsQuery(Wire, frozen=True):
    run_id: str = ""
    """Id of the run; those of its children are counted too. Required."""


class TableCount(Wire, frozen=True):
    id: str
    count: int


class TransferStats(Wire, frozen=True):
    total_count: int
    tables: list[TableCount]


class TableStats(Wire, frozen=True):
    imports: TransferStats = msgspec.field(name="import")
    exports: TransferStats = msgspec.field(name="export")


class FileTotals(Wire, frozen=True):
    count: int
    data_size_bytes: int


class FileStats(Wire, frozen=True):
    total: FileTotals


class RunStats(Wire, frozen=True):
    tables: TableStats
    files: FileStats
