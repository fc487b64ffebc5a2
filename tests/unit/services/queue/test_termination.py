"""Jobs that are asked to stop."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.queue.jobs import ORDERS, accepted, add_job, look_up


def kill(services: ServicesOnly, job: JobRow | dict[str, Any]) -> Response:
    job_id = job["id"] if isinstance(job, dict) else job.id
    return services.service("queue").post(f"/jobs/{job_id}/kill")


def running(services: ServicesOnly, **fields: Any) -> JobRow:
    return add_job(services, **{"status": Status.PROCESSING, "worker": "w", "attempt": 1, **fields})


def part_of(services: ServicesOnly, parent: JobRow, **fields: Any) -> JobRow:
    return add_job(services, parent_id=parent.id, **fields)


def warnings(services: ServicesOnly, job: JobRow | dict[str, Any]) -> list[str]:
    job_id = job["id"] if isinstance(job, dict) else job.id
    events = services.service("storage").get(f"/v2/storage/events?runId={job_id}").json
    assert {event["type"] for event in events} <= {"warn"}
    return [event["message"] for event in events]


def test_a_job_that_has_not_begun_is_cancelled_at_once(services: ServicesOnly) -> None:
    first, second = accepted(services, **ORDERS), accepted(services, **ORDERS)
    responses = [kill(services, second), kill(services, first)]

    for response in responses:
        assert (response.status, response.json["status"], response.json["desiredStatus"]) == (
            202,
            "cancelled",
            "terminating",
        )
        assert response.json["isFinished"] is True
        assert response.json["endTime"]
        assert response.json["result"]["message"] == "The job was cancelled before it began."
    assert services.service("queue").get(f"/jobs/{first['id']}").json == responses[1].json
    assert warnings(services, first) == ["The job was cancelled before it began."]


def test_a_job_that_runs_is_left_to_its_worker(services: ServicesOnly) -> None:
    job = running(services)
    response = kill(services, job)

    assert (response.status, response.json["status"], response.json["desiredStatus"]) == (
        202,
        "terminating",
        "terminating",
    )
    assert response.json["isFinished"] is False
    assert look_up(services, job).worker == "w"
    assert warnings(services, job) == []


@pytest.mark.parametrize("status", [status for status in Status if not status.is_killable])
def test_a_job_that_ends_or_has_ended_cannot_be_stopped(shared: ServicesOnly, status: Status) -> None:
    job = add_job(shared, status=status)
    response = kill(shared, job)

    assert (response.status, response.json["code"]) == (400, 400)
    assert "not in one of killable states" in response.json["error"]
    assert look_up(shared, job) == job


def test_a_container_asks_all_its_parts(services: ServicesOnly) -> None:
    flow = running(services, type=Kind.ORCHESTRATION, worker=None)
    phase = part_of(services, flow, type=Kind.PHASE, status=Status.PROCESSING)
    busy = part_of(services, phase, status=Status.PROCESSING, worker="w")
    waiting = part_of(services, phase, status=Status.WAITING, is_held=True)
    done = part_of(services, phase, status=Status.SUCCESS)
    later = part_of(services, flow, type=Kind.PHASE, status=Status.WAITING, is_held=True)

    assert kill(services, flow).json["status"] == "terminating"
    statuses = [look_up(services, job).status for job in (phase, busy, waiting, done, later)]
    assert statuses == ["terminating", "terminating", "cancelled", "success", "cancelled"]
    assert look_up(services, busy).desired_status == "terminating"


def test_a_container_of_which_nothing_is_left_ends(services: ServicesOnly) -> None:
    flow = running(services, type=Kind.ORCHESTRATION, worker=None)
    phase = part_of(services, flow, type=Kind.PHASE, status=Status.PROCESSING)
    part_of(services, phase, status=Status.WAITING, is_held=True)
    response = kill(services, flow)

    assert (response.json["status"], response.json["isFinished"]) == ("terminated", True)
    assert look_up(services, phase).status == "terminated"
    assert warnings(services, flow) == ["The job was terminated."]


def test_a_container_that_a_worker_is_beginning_is_left_to_it(services: ServicesOnly) -> None:
    assert kill(services, running(services, type=Kind.CONTAINER)).json["status"] == "terminating"


def test_who_may_not_run_jobs_may_not_stop_them(services: ServicesOnly) -> None:
    job = accepted(services, **ORDERS)
    storage = services.service("storage")
    looker = storage.post("/v2/storage/tokens", {"canReadAllFileUploads": True}).json["token"]
    foreign = services.service("queue", add_project(services).token)

    assert services.service("queue", looker).post(f"/jobs/{job['id']}/kill").status == 403
    assert foreign.post(f"/jobs/{job['id']}/kill").status == 404
    assert services.service("queue").get(f"/jobs/{job['id']}").json["status"] == "created"


@pytest.mark.parametrize("job_id", ["0", "foo", "9" * 30])
def test_an_unknown_job_is_not_found(shared: ServicesOnly, job_id: str) -> None:
    assert shared.service("queue").post(f"/jobs/{job_id}/kill").status == 404
