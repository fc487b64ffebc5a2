"""Storage's own jobs: loads, exports and other changes of tables that take longer than a request."""

from __future__ import annotations

import time
from contextlib import suppress
from urllib.parse import quote

from penstock.client.errors import ClientError
from penstock.client.models import StorageJob
from penstock.client.transport import Transport

_MIN_PAUSE, _MAX_PAUSE = 0.05, 2.0


class StorageJobFailed(ClientError):
    """The job's own message; `code` is Storage's."""

    def __init__(self, job: StorageJob) -> None:
        super().__init__(job.error.message if job.error else f"Job {job.id} of Storage failed without a reason.")
        self.job, self.code = job, job.error.code if job.error else ""


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

    def wait(self, job: StorageJob) -> StorageJob:
        """Wait until the job has ended; raises StorageJobFailed. A job that is no longer wanted is cancelled: Ctrl-C
        leaves nothing running."""
        pause = _MIN_PAUSE
        try:
            while not (job := self.get(str(job.id))).is_finished:
                time.sleep(pause)
                pause = min(pause * 1.3, _MAX_PAUSE)
        except KeyboardInterrupt:
            with suppress(ClientError):
                self.cancel(str(job.id))
            raise
        if job.status == "error":
            raise StorageJobFailed(job)
        return job

    def cancel(self, job_id: str) -> StorageJob:
        """Cancel a job: a waiting one ends immediately, a running one within a moment."""
        return self._transport.post(f"{self._url}/{quote(job_id, safe='')}/cancel", {}, StorageJob)
