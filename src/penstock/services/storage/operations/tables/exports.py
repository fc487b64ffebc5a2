"""Export rows of a table as a sliced file."""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

from penstock.foundation import lake
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import INTERNAL_TIMESTAMP, Query, export_rows
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable, NotOneFile
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.queries import ExportRequest
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.files import files
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.operations.tables.tables import get_table
from penstock.services.storage.operations.tables.views import Viewer

TAG = "table-export"
RFC, JSON = "rfc", "json"
CSV, PARQUET = "csv", "parquet"


def plan_export(tx: Transaction, viewer: Viewer, table_id: str, request: ExportRequest) -> JobRow:
    """A job that writes the rows; raises at once if the query is not valid."""
    row = get_table(tx, viewer.caller, table_id).row
    if (request.format, request.file_type) not in ((RFC, CSV), (JSON, CSV), (RFC, PARQUET)):
        raise InvalidTable(
            f'An export has the format "{RFC}" or "{JSON}"; with the file type "{PARQUET}" it has the format "{RFC}".'
        )
    query = (
        _with_timestamp(read_query(row, request)) if request.include_internal_timestamp else read_query(row, request)
    )
    file = files.new_export(tx, viewer.caller, f"{table_id}.{_suffix(request)}", [TAG])
    params = {
        "export": {
            "gzip": request.gzip,
            "columns": list(query.columns or ()),
            "fileType": request.file_type,
            "format": request.format,
        },
        "_fileId": file.id,
        "_query": msgspec.to_builtins(query),
        "_url": viewer.url,
    }
    # No lock key: an export reads one version of the table, whatever is loaded meanwhile.
    new = jobs.NewJob(operation="tableExport", params=params, table_id=table_id)
    return jobs.create_job(tx, viewer.caller, new)


def open_stored_file(stack: Stack, caller: Caller, table_id: str) -> BinaryIO:
    """All rows without a job, if the table is stored as one file; raises NotOneFile."""
    with stack.database.reading() as tx:
        located = get_table(tx, caller, table_id)
    query = _with_timestamp(read_query(located.row, ExportRequest()))
    with detecting_loss(stack, located.place, located.row.id):
        file = lake.open_stored_file(stack.lake, located.place, query)
    if not file:
        raise NotOneFile(table_id)
    return file


def _with_timestamp(query: Query) -> Query:
    return msgspec.structs.replace(query, columns=(*(query.columns or ()), INTERNAL_TIMESTAMP))


def _suffix(request: ExportRequest) -> str:
    if request.file_type == PARQUET:
        return PARQUET
    kind = JSON if request.format == JSON else CSV
    return f"{kind}.gz" if request.gzip else kind


def export_table(stack: Stack, caller: Caller, job: JobRow) -> dict[str, Any]:
    options, query = job.params["export"], msgspec.convert(job.params["_query"], Query)
    with stack.database.reading() as tx:
        located = get_table(tx, caller, job.table_id or "")
        file = files.get_source(tx, stack, caller, job.params["_fileId"])
    folder = files.export_folder(stack, file)
    with detecting_loss(stack, located.place, located.row.id):
        slices = export_rows(
            stack.lake,
            located.place,
            query,
            folder,
            gzip=options["gzip"],
            parquet=options["fileType"] == PARQUET,
            json=options.get("format") == JSON,  # jobs of an earlier version have no format
        )
    files.publish_export(stack, file, [(each.name, each.path) for each in slices], job.params["_url"])
    with stack.database.writing(caller.project_id) as tx:
        name = located.row.id
        add_event(tx, caller, "storage.tableExported", f"Exported table {name}", object_id=name, object_type="table")
    return {"file": {"id": file.id}, "cacheHit": False}
