"""Storage's own jobs: loads, exports and other changes of tables that take longer than a request."""

from __future__ import annotations

from urllib.parse import quote

from penstock.client.models import StorageJob
from penstock.client.transport import Transport


class StorageJobs:
    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = f"{url}/v2/storage/jobs", transport

    def get(self, job_id: str) -> StorageJob:
        return self._transport.get(f"{self._url}/{quote(job_id, safe='')}", StorageJob)

    def list(self, limit: int = 100, offset: int = 0, *, unfinished: bool = False) -> list[StorageJob]:
        """Newest first."""
        query: dict[str, str | int | list[str]] = {"limit": limit, "offset": offset}
        if unfinished:
            query["excluded_storage_job_status[]"] = ["success", "error"]
        return self._transport.get(self._url, list[StorageJob], query)

    def cancel(self, job_id: str) -> StorageJob:
        """A waiting job ends at once, a running one within a moment."""
        return self._transport.post(f"{self._url}/{quote(job_id, safe='')}/cancel", {}, StorageJob)
