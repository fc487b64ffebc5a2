"""Jobs of Storage."""

from __future__ import annotations

from typing import Any

from penstock.client.models.wire import Wire


class StorageJobError(Wire, frozen=True):
    message: str = ""
    code: str = ""


class StorageJob(Wire, frozen=True):
    """A load, an export or another change of tables."""

    id: int
    status: str
    operation_name: str = ""
    table_id: str | None = None
    created_time: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    error: StorageJobError | None = None
    results: Any = None

    @property
    def is_finished(self) -> bool:
        return self.status in ("success", "error")
