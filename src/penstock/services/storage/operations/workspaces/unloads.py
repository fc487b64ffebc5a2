"""Tables of a workspace into Storage, as the output mapping of its configuration says."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.foundation.limits import Columns
from penstock.foundation.stack import Stack
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.queries import ImportRequest, TableFromData
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.names import split_table_id
from penstock.services.storage.operations.buckets import ensure_bucket
from penstock.services.storage.operations.tables import imports
from penstock.services.storage.operations.tables.tables import get_own_table
from penstock.services.storage.operations.tables.views import Viewer
from penstock.services.storage.operations.workspace_rows import get_sql_workspace
from penstock.services.storage.operations.workspaces.mappings import read_mapping


class OutputTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of an output mapping, as configurations have it."""

    source: str
    destination: str
    primary_key: Columns[str] = []
    incremental: bool = False
    columns: Columns[str] = []


def plan_unload(tx: Transaction, stack: Stack, viewer: Viewer, workspace_id: str, only: str = "") -> list[JobRow]:
    """A job for each table of the output mapping, or for one of them by its name in the workspace. None without a
    configuration."""
    row = get_sql_workspace(tx, viewer.caller, workspace_id)
    if not row.component or not row.configuration_id:
        return []
    wanted = [each for each in read_mapping(tx, row, "output", OutputTable) if only in ("", each.source)]
    return [_plan(tx, stack, viewer, row, each) for each in wanted]


def _plan(tx: Transaction, stack: Stack, viewer: Viewer, row: WorkspaceRow, output_table: OutputTable) -> JobRow:
    source = {"data_workspace_id": row.id, "data_table_name": output_table.source, "columns": output_table.columns}
    try:
        get_own_table(tx, viewer.caller, output_table.destination)
    except NotFound:
        bucket_id, name = split_table_id(output_table.destination)
        ensure_bucket(tx, viewer.caller, bucket_id)
        new = TableFromData(name=name, primary_key=",".join(output_table.primary_key), **cast(dict[str, Any], source))
        return imports.plan_table(tx, stack, viewer, bucket_id, new)
    load = ImportRequest(incremental=output_table.incremental, **cast(dict[str, Any], source))
    return imports.plan_import(tx, stack, viewer.caller, output_table.destination, load)
