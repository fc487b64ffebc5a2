"""Jobs for tests: asked for over HTTP, or put into the table as a worker would leave them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from penstock.foundation import clock, ids
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.store import jobs
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project

COMPONENT = "ex-generic-v2"
CONFIGS = f"/v2/storage/components/{COMPONENT}/configs"
ORDERS = {"component": COMPONENT, "config": "sample-orders"}


def post(services: ServicesOnly, **wish: Any) -> Response:
    return services.service("queue").post("/jobs", wish)


def accepted(services: ServicesOnly, **wish: Any) -> dict[str, Any]:
    response = post(services, **wish)
    assert response.status == 201, response.text
    return response.json


def configure(services: ServicesOnly, config_id: str, document: Any = None, rows: int = 0) -> None:
    storage = services.service("storage")
    wish = {"name": config_id, "configurationId": config_id, "configuration": document or {}}
    assert storage.post(CONFIGS, wish).status == 201
    for number in range(1, rows + 1):
        assert storage.post(f"{CONFIGS}/{config_id}/rows", {"rowId": f"r{number}", "name": "row"}).status == 201


def add_job(services: ServicesOnly, **fields: Any) -> JobRow:
    """A job as the table holds it; whatever is not said is that of a new one."""
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        job_id = ids.new_id(tx)
        known: dict[str, Any] = {
            "id": job_id,
            "project_id": caller.project_id,
            "branch_id": caller.branch_id,
            "run_id": str(job_id),
            "token_id": caller.token_id,
            "token_description": caller.description,
            "mode": "run",
            "component": COMPONENT,
            "component_type": "extractor",
            "config": None,
            "config_data": None,
            "status": Status.CREATED,
            "result": b"{}",
            "created_time": clock.now(),
        }
        known["is_finished"] = Status(fields.get("status", Status.CREATED)).is_final
        job = JobRow(**(known | fields))
        jobs.add_job(tx, job)
    return job


def lasting(seconds: float) -> dict[str, Any]:
    """The times of a job that has ended, and took so long."""
    start = clock.now() - timedelta(hours=1)
    return {"status": Status.SUCCESS, "start_time": start, "end_time": start + timedelta(seconds=seconds)}


def look_up(services: ServicesOnly, job: JobRow) -> JobRow:
    with services.stack.database.reading() as tx:
        found = jobs.find_job(tx, job.project_id, job.id)
    assert found
    return found


def result_of(message: str, **more: Any) -> bytes:
    return msgspec.json.encode({"message": message, **more})
