"""Delete rows of a table."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import Query, delete_rows
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable, UnintendedTruncation
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.queries import DeletionRequest
from penstock.services.storage.operations.tables.changes import locked_table, plan_change, publish_change
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.operations.tables.records import record_change
from penstock.services.storage.operations.tables.tables import get_own_table


def plan_deletion(tx: Transaction, caller: Caller, table_id: str, request: DeletionRequest) -> JobRow:
    if request.limit:
        raise InvalidTable("Which rows a `limit` leaves is not defined, so a deletion cannot have one.")
    query = read_query(get_own_table(tx, caller, table_id).row, request)
    if not (query.filters or query.changed_since or query.changed_until or request.allow_truncate):
        raise UnintendedTruncation
    return plan_change(tx, caller, "tableRowsDelete", table_id, {"_query": msgspec.to_builtins(query)})


def delete_some(stack: Stack, caller: Caller, job: JobRow) -> dict[str, Any]:
    query = msgspec.convert(job.params["_query"], Query)
    with locked_table(stack, caller, job) as located:
        deleted = delete_rows(stack.lake, located.place, query, f"storage-{job.id}")
        with stack.database.writing(caller.project_id) as tx:
            sizes = {"rows_count": deleted.rows_count, "data_size_bytes": deleted.data_size_bytes}
            row = record_change(tx, stack.lake, located.bucket, located.row, **sizes)
            publish_change(tx, caller, "storage.tableRowsDeleted", row, f"Deleted {deleted.deleted_rows} rows of")
    return {"deletedRows": deleted.deleted_rows}
