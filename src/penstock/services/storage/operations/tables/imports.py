"""Imports by clients: an uploaded file, or a table of a workspace, into a new or existing table.

Strict where the load of a component is lenient: the header must name the columns of the table, and errors are for the
client to fix.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.blobs import Incoming
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import LakeTable, Load, Loaded, load_csv
from penstock.foundation.lake.loads import CheckSize
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.imports import AliasImport, ColumnsNotMatch
from penstock.services.storage.errors.tables import InvalidKey, InvalidKeyColumns, InvalidTable
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.column_types import without_null
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.queries import ImportRequest, TableFromData
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.buckets import get_own_bucket
from penstock.services.storage.operations.files import files
from penstock.services.storage.operations.files.uploads import keep_received_rows
from penstock.services.storage.operations.tables.changes import locked_table, locked_table_name, publish_change
from penstock.services.storage.operations.tables.csv_files import check_options
from penstock.services.storage.operations.tables.definitions import (
    add_table,
    check_new_name,
    check_width,
    lake_columns,
)
from penstock.services.storage.operations.tables.import_sources import Rows, check_workspace, new_rows, rows_for
from penstock.services.storage.operations.tables.records import record_load
from penstock.services.storage.operations.tables.size_limits import checking_size
from penstock.services.storage.operations.tables.tables import get_own_table, get_table
from penstock.services.storage.operations.tables.views import Viewer, detail_view
from penstock.services.storage.operations.triggers import publish_load
from penstock.services.storage.store import tables
from penstock.services.storage.store.reservations import TablePlace


def plan_import(tx: Transaction, stack: Stack, caller: Caller, table_id: str, request: ImportRequest) -> JobRow:
    """A job that loads a file; raises at once what can be found without reading it."""
    _check_table(tx, caller, table_id)
    params = _check(tx, stack, caller, request)
    new = jobs.NewJob(operation="tableImport", params=params, lock_key=table_id, table_id=table_id)
    return jobs.create_job(tx, caller, new)


def import_upload(stack: Stack, caller: Caller, table_id: str, incoming: Incoming, request: ImportRequest) -> JobRow:
    """A job that loads received rows. What can be found without reading them is raised before they are stored."""
    with stack.database.reading() as tx:
        _check_table(tx, caller, table_id)
    check_options(request)
    file = keep_received_rows(stack, caller, incoming)
    try:
        with stack.database.writing(caller.project_id) as tx:
            return plan_import(tx, stack, caller, table_id, msgspec.structs.replace(request, data_file_id=file.id))
    except BaseException:
        files.remove_file(stack, file.project_id, file.id)
        raise


def _check_table(tx: Transaction, caller: Caller, table_id: str) -> None:
    """Raise if it is not there, is an alias, or may not be written."""
    if get_table(tx, caller, table_id).row.is_alias:
        raise AliasImport(table_id)
    get_own_table(tx, caller, table_id)


def plan_table(tx: Transaction, stack: Stack, viewer: Viewer, bucket_id: str, new_table: TableFromData) -> JobRow:
    """A job that creates a table from a file."""
    bucket = get_own_bucket(tx, viewer.caller, bucket_id)
    check_new_name(tx, bucket, new_table.name)
    if not isinstance(new_table.primary_key, str):
        raise InvalidKey("The primary key is a text with the names of its columns, separated by commas.")
    table_id = f"{bucket.id}.{new_table.name}"
    params = {**_check(tx, stack, viewer.caller, new_table), "name": new_table.name, "_url": viewer.url}
    params |= {"primaryKey": new_table.primary_key, "_displayName": new_table.display_name}
    if new_table.is_typed and new_table.data_workspace_id is None:
        raise InvalidTable(
            "`isTyped` is for tables from a workspace. Define other typed tables with `tables-definition`."
        )
    params["_isTyped"] = new_table.is_typed
    new = jobs.NewJob(operation="tableCreate", params=params, lock_key=table_id, table_id=table_id)
    return jobs.create_job(tx, viewer.caller, new)


def import_file(stack: Stack, caller: Caller, job: JobRow) -> dict[str, Any]:
    wanted = _wanted(job)
    # Recorded under the lock, before the next load of the table may start.
    with (
        locked_table(stack, caller, job) as located,
        rows_for(stack, caller, located.row, wanted) as rows,
        checking_size(stack, _place_of(located.row)) as check,
    ):
        _check_header(located.row, rows.header, wanted)
        loaded = _load(stack, located.place, located.row, rows, job, check)
        with stack.database.writing(caller.project_id) as tx:
            key, sets_order = located.row.primary_key, not wanted.incremental and not wanted.columns
            name, lake = located.row.name, stack.lake
            row = record_load(tx, lake, located.bucket, name, rows.header, key, loaded, sets_order=sets_order)
            publish_load(tx, caller, row)
            what = f"Imported {loaded.imported_rows} rows into"
            publish_change(tx, caller, "storage.tableImportDone", row, what)
    return _results(rows.header, loaded)


def create_from_data(stack: Stack, caller: Caller, job: JobRow) -> Any:
    wanted, viewer = _wanted(job), Viewer(caller, job.params["_url"])
    is_typed = bool(job.params.get("_isTyped"))  # jobs of an earlier version do not have it
    with locked_table_name(stack, caller, job) as (bucket, place):
        with stack.database.reading() as tx:
            known = tables.find_table(tx, bucket.project_id, bucket.branch_id, bucket.id, place.name)
            if known:  # created by an attempt whose end was not recorded
                return detail_view(tx, viewer, known)
        there = TablePlace(bucket.project_id, bucket.branch_id, bucket.id, place.name)
        with checking_size(stack, there) as check:
            with new_rows(stack, caller, wanted, is_typed=is_typed) as rows:
                blank = _blank(bucket, job, rows)
                loaded = _load(stack, place, blank, rows, job, check)
            sizes = {"rows_count": loaded.rows_count, "data_size_bytes": loaded.data_size_bytes}
            with stack.database.writing(caller.project_id) as tx:
                row = msgspec.structs.replace(blank, **sizes, imported=clock.now())
                add_table(tx, stack.lake, caller, bucket, row)
                publish_load(tx, caller, row)
        with stack.database.reading() as tx:
            return detail_view(tx, viewer, row)


def _check(tx: Transaction, stack: Stack, caller: Caller, request: ImportRequest) -> dict[str, Any]:
    """The parameters of the job."""
    if request.data_url:
        raise InvalidTable("`dataUrl` is not supported: upload the file, and send its id as `dataFileId`.")
    sources = (request.data_file_id, request.data_workspace_id, request.snapshot_id, request.source_table_id or None)
    if sum(each is not None for each in sources) != 1 or sources[:2] == (None, None):
        raise InvalidTable(
            "Give exactly one source of rows: `dataFileId` is the id of a file in this project, and `dataWorkspaceId` "
            "with `dataTableName` is a table of a workspace."
        )
    check_options(request)
    return {
        "source": _check_source(tx, stack, caller, request),
        "incremental": request.incremental,
        "_request": msgspec.to_builtins(msgspec.structs.replace(request, data="", data_string="")),
    }


def _check_source(tx: Transaction, stack: Stack, caller: Caller, request: ImportRequest) -> dict[str, Any]:
    if request.data_file_id is not None:
        files.get_source(tx, stack, caller, request.data_file_id)
        return {"type": "file", "fileId": request.data_file_id}
    check_workspace(tx, caller, request)
    return {"type": "workspace", "workspaceId": request.data_workspace_id, "tableName": request.workspace_table}


def _wanted(job: JobRow) -> ImportRequest:
    return msgspec.convert(job.params["_request"], ImportRequest)


def _check_header(row: TableRow, header: list[str], request: ImportRequest) -> None:
    missing = [name for name in row.columns if name not in header]
    if missing:
        expected = ",".join(row.columns)
        raise ColumnsNotMatch(
            f"Some columns are missing in the csv file. Missing columns: {','.join(missing)}. Expected columns: "
            f'{expected}. Please check if the expected delimiter "{request.delimiter}" is used in the csv file.',
            missing,
            row.columns,
        )
    extra = [name for name in header if name not in row.columns]
    if extra and row.types is not None:
        raise ColumnsNotMatch(
            "During the import of typed tables new columns can't be added. "
            f'Extra columns found: "{",".join(extra)}". Add them to the table first.'
        )
    clash = {name.lower() for name in extra} & {name.lower() for name in row.columns}
    if clash:
        raise ColumnsNotMatch(
            f'The table has columns that differ from "{", ".join(sorted(clash))}" only in their case.'
        )
    check_width(len(row.columns) + len(extra), row.id)


def _place_of(row: TableRow) -> TablePlace:
    return TablePlace(row.project_id, row.branch_id, row.bucket_id, row.name)


def _load(
    stack: Stack, place: LakeTable, row: TableRow, rows: Rows, job: JobRow, check_size: CheckSize | None
) -> Loaded:
    wanted = _wanted(job)
    load = Load(
        id=f"storage-{job.id}",
        source=rows.source,
        primary_key=tuple(row.primary_key),
        incremental=wanted.incremental,
        types=tuple(lake_columns(row)) if row.types is not None else (),
        null_values=rows.null_values,
        deduplication=wanted.deduplication_strategy,
        keeps_order=bool(wanted.columns),
        check_size=check_size,
    )
    return load_csv(stack.lake, place, load)


def _blank(bucket: BucketRow, job: JobRow, rows: Rows) -> TableRow:
    key, now = [name.strip() for name in job.params["primaryKey"].split(",") if name.strip()], clock.now()
    if unknown_columns := [name for name in key if name not in rows.header]:
        raise InvalidKeyColumns(unknown_columns)
    return TableRow(
        project_id=bucket.project_id,
        branch_id=bucket.branch_id,
        bucket_id=bucket.id,
        name=job.params["name"],
        display_name=job.params["_displayName"] or job.params["name"],
        columns=rows.header,
        primary_key=key,
        rows_count=0,
        data_size_bytes=0,
        created=now,
        changed=now,
        types=without_null(rows.types, key) if rows.types else None,
    )


def _results(header: list[str], loaded: Loaded) -> dict[str, Any]:
    return {
        "warnings": [],
        "importedColumns": header,
        "transaction": False,
        "totalRowsCount": loaded.rows_count,
        "totalDataSizeBytes": loaded.data_size_bytes,
    }
