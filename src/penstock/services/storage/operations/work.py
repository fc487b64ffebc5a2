"""The implementations of Storage's jobs, by the operation name that clients see.

A worker may die after the work and before its end is recorded; then another worker repeats it. So each of these is
idempotent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.operations import branch_jobs, buckets, maintenance
from penstock.services.storage.operations.files import files
from penstock.services.storage.operations.tables import (
    columns,
    definition_changes,
    definitions,
    deletions,
    exports,
    imports,
    keys,
    profiles,
    snapshots,
    swaps,
    tables,
)
from penstock.services.storage.operations.workspaces import exports as workspace_exports
from penstock.services.storage.operations.workspaces import loads

Results = Any
"""Returned to clients as `results`; None if there is none."""

Work = Callable[[Stack, Caller, JobRow], Results]

OPERATIONS: dict[str, Work] = {
    "bucketDelete": buckets.delete_bucket,
    "devBranchCreate": branch_jobs.create_branch,
    "devBranchDelete": branch_jobs.delete_branch,
    "fileDelete": files.delete_file,
    "snapshotDelete": snapshots.remove_snapshot,
    "tableColumnAdd": columns.add_one,
    "tableColumnDefinitionUpdate": definition_changes.change_definition,
    "tableColumnDelete": columns.drop_one,
    "tableCreate": imports.create_from_data,
    "tableCreateFromSnapshot": snapshots.make_table,
    "tableDefinitionCreate": definitions.make_table,
    "tableDefinitionUpdate": definition_changes.change_definition,
    "tableDrop": tables.drop_named,
    "tableExport": exports.export_table,
    "tableImport": imports.import_file,
    "tableOptimize": maintenance.optimize,
    "tablePrimaryKeyAdd": keys.add_key,
    "tablePrimaryKeyDelete": keys.remove_key,
    "tableProfile": profiles.compute_profile,
    "tableRowsDelete": deletions.delete_some,
    "tableSnapshotCreate": snapshots.take_snapshot,
    "tableSwap": swaps.swap_tables,
    "workspaceLoad": loads.run_load,
    "workspaceTableExport": workspace_exports.export_table,
}


def do(stack: Stack, caller: Caller, job: JobRow) -> Results:
    return OPERATIONS[job.operation](stack, caller, job)
