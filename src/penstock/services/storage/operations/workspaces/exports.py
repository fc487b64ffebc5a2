"""Tables of a workspace as files of the project."""

from __future__ import annotations

from typing import Any

from penstock.contracts.files import OutputFile
from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.workspaces import InvalidLoad, ObjectNotFound
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.workspace_loads import TableExportRequest
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.files.component_files import store_file
from penstock.services.storage.operations.workspace_engines import open_engine
from penstock.services.storage.operations.workspace_rows import get_sql_workspace
from penstock.sql import TableMissing

OPERATION = "workspaceTableExport"
TAG = "workspace-export"
CSV, PARQUET = "csv", "parquet"


def plan_export(
    tx: Transaction, caller: Caller, workspace_id: str, request: TableExportRequest, storage_url: str
) -> JobRow:
    row, kind = get_sql_workspace(tx, caller, workspace_id), request.file_type.lower() or CSV
    if not request.table_name:
        raise InvalidLoad("Name the table of the workspace to export with `tableName`.")
    if kind not in (CSV, PARQUET):
        raise InvalidLoad(f'`fileType` is "{request.file_type}"; use "{CSV}" or "{PARQUET}".')
    is_gzipped = kind == CSV and request.is_gzipped
    name = request.file_name or f"{request.table_name}.{kind}{'.gz' if is_gzipped else ''}"
    params = {"workspaceId": row.id, "tableName": request.table_name, "fileType": kind, "gzip": is_gzipped}
    params |= {"_fileId": ids.new_id(tx), "_fileName": name, "_url": storage_url}
    return jobs.create_job(tx, caller, jobs.NewJob(operation=OPERATION, params=params))


def export_table(stack: Stack, caller: Caller, job: JobRow) -> dict[str, Any]:
    """Run the job. The id of the file was reserved, so that a repeated job stores one."""
    params = job.params
    with stack.database.reading() as tx:
        row = get_sql_workspace(tx, caller, params["workspaceId"])
    with open_engine(stack, row) as engine:
        try:
            path = engine.export_table(params["tableName"], params["fileType"], gzip=params["gzip"])
        except TableMissing as error:
            raise ObjectNotFound(params["tableName"], row.schema) from error
    try:
        file = OutputFile(name=params["_fileName"], path=path, tags=(TAG,))
        stored = store_file(stack, caller, params["_fileId"], file, params["_url"])
    finally:
        path.unlink(missing_ok=True)
    return {"file": {"id": stored.id}}
