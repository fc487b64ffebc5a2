"""Tables: what components and other services load and read."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.blobs import Incoming
from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.storage.models.jobs import ENDED, JobRow
from penstock.services.storage.models.metadata import MetadataRow
from penstock.services.storage.models.queries import ImportRequest, RowsQuery
from penstock.services.storage.models.tables import Table
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.tables import component_exports, component_loads, imports

T = TypeVar("T")


class StartedImport(msgspec.Struct, frozen=True):
    """A load of a table, done by a job of Storage."""

    job: JobRow

    def has_ended(self, stack: Stack) -> bool:
        return jobs.find_status(stack, self.job) in ENDED

    def find_results(self, stack: Stack, into: type[T]) -> T | None:
        """The results of the job, decoded as this type; None while it runs. Raises the error of one that failed."""
        ended = jobs.find_ended(stack, self.job)
        return jobs.read_results(ended, into) if ended else None


def check_load(stack: Stack, caller: Caller, load: TableLoad) -> None:
    """Raise the errors of a load that can be found before it starts."""
    component_loads.plan_load(stack, caller, load)


def load_table(stack: Stack, caller: Caller, load: TableLoad) -> StoredTable:
    return component_loads.load_table(stack, caller, load)


def get_table(stack: Stack, caller: Caller, table_id: str, storage_url: str) -> tuple[Table, datetime | None]:
    """A table with its full detail and the time of its last import; raises if it does not exist or the caller may not
    read it."""
    return component_exports.get_table(stack, caller, table_id, storage_url)


def find_bucket_metadata(stack: Stack, caller: Caller, bucket_id: str) -> list[MetadataRow] | None:
    """Return None if the bucket does not exist or the caller may not read it."""
    return component_exports.find_bucket_metadata(stack, caller, bucket_id)


def export_table(stack: Stack, caller: Caller, table_id: str, asked: RowsQuery, target: Path) -> int:
    """Write rows as one CSV file with a header; returns its size."""
    return component_exports.export_table(stack, caller, table_id, asked, target)


def import_upload(
    stack: Stack, caller: Caller, table_id: str, incoming: Incoming, request: ImportRequest
) -> StartedImport:
    """Start to load received rows into a table; raises before anything is stored if the caller may not, or if the
    options are not valid."""
    return StartedImport(imports.import_upload(stack, caller, table_id, incoming, request))
