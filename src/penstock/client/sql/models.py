"""Responses about workspaces and queries, as far as the client reads them."""

from __future__ import annotations

from penstock.foundation.structs import Wire


class Branch(Wire, frozen=True, kw_only=True):
    id: int
    is_default: bool = False


class Workspace(Wire, frozen=True, kw_only=True):
    id: int
    read_only_storage_access: bool = False


class Submitted(Wire, frozen=True, kw_only=True):
    query_job_id: str
    session_id: str


class Statement(Wire, frozen=True, kw_only=True):
    id: str
    status: str
    error: str = ""


class QueryJob(Wire, frozen=True, kw_only=True):
    query_job_id: str
    status: str
    statements: list[Statement]
    cancellation_reason: str = ""

    @property
    def is_finished(self) -> bool:
        return self.status in ("completed", "failed", "canceled")


class Column(Wire, frozen=True, kw_only=True):
    name: str
    type: str


class Results(Wire, frozen=True, kw_only=True):
    """A page of rows: values are text, or None."""

    status: str
    message: str | None = None
    columns: list[Column]
    data: list[list[str | None]]
    number_of_rows: int
    rows_affected: int
