"""The jobs of a project: create, search, terminate, retry; and its schedules."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from penstock.client.models import Job, JobWish, NewSchedule, Schedule
from penstock.client.transport import Transport

FLOW = "orchestrationContainer"


class Jobs:
    """`url` is the address of the queue."""

    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = url, transport

    def create(self, wish: JobWish) -> Job:
        """Create a job. It is not retried: after a lost response, a retry could start a second one."""
        return self._transport.post(f"{self._url}/jobs", wish, Job)

    def get(self, job_id: str) -> Job:
        return self._transport.get(f"{self._url}/jobs/{quote(job_id, safe='')}", Job)

    def search(self, filters: Mapping[str, str | int | list[str]] | None = None) -> list[Job]:
        """Newest first; the filters are those of the queue, such as `status`, `componentId`, `limit`."""
        query = [(f"{name}[]" if isinstance(value, list) else name, value) for name, value in (filters or {}).items()]
        return self._transport.get(f"{self._url}/search/jobs", list[Job], dict(query))

    def terminate(self, job_id: str) -> Job:
        """Terminate the job; a running one takes a moment."""
        return self._transport.post(f"{self._url}/jobs/{quote(job_id, safe='')}/kill", {}, Job)

    def retry(self, job: Job) -> Job:
        """Run the job again. A failed flow continues where it failed: successful tasks are not repeated."""
        previous = job.id if job.type == FLOW and not job.is_success else None
        return self.create(
            JobWish(
                component=job.component,
                config=job.config,
                mode=job.mode,
                config_data=job.config_data or None,
                config_row_ids=job.config_row_ids or [],
                branch_id=job.branch_id,
                tag=job.tag,
                variable_values_id=job.variable_values_id,
                variable_values_data=job.variable_values_data or None,
                backend=job.backend or None,
                parallelism=job.parallelism,
                executor=job.executor,
                only_orchestration_task_ids=job.only_orchestration_task_ids or [],
                previous_job_id=previous,
            )
        )


class Schedules:
    """`url` is the address of the scheduler."""

    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = f"{url}/schedules", transport

    def list(self) -> list[Schedule]:
        """Oldest first."""
        return self._transport.get(self._url, list[Schedule])

    def activate(self, config_id: str) -> Schedule:
        """Make a schedule of the newest version of a configuration of keboola.scheduler, or change it to that."""
        return self._transport.post(self._url, NewSchedule(configuration_id=config_id), Schedule)

    def delete(self, schedule_id: str) -> None:
        """The configuration is kept."""
        self._transport.delete(f"{self._url}/{quote(schedule_id, safe='')}")
