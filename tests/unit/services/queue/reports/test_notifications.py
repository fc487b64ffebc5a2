"""Ends of jobs and phases reach the subscriptions of Notification."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from penstock.foundation import clock
from penstock.foundation.events import outbox
from penstock.services.notification.models import DeliveriesQuery
from penstock.services.notification.store import deliveries
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.long_jobs import list_late, report_late, report_long_jobs
from penstock.services.queue.store import jobs
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.notification.deliveries import deliver_events, subscribe
from tests.unit.services.queue.flows.world import (
    BAD,
    EXTRACTOR,
    FINE,
    FLOW,
    ORCHESTRATOR,
    World,
    job_task,
    phase,
    step,
)

WARNED = (Status.WARNING, "One page was empty.")
NAMES = ("job-failed", "job-succeeded", "job-succeeded-with-warning")


@pytest.fixture
def world(services: ServicesOnly) -> World:
    return World(services)


def watch(world: World, *events: str, **fields: Any) -> None:
    for event in events:
        subscribe(world.services.service("notification"), "email", "ops@example.com", event, **fields)


def list_sent(world: World) -> list[tuple[str, dict[str, Any]]]:
    """What subscriptions were notified of: event and payload, oldest first."""
    deliver_events(world.stack)
    project_id = first_project(world.services).caller.project_id
    with world.stack.database.reading() as tx:
        found = deliveries.list_deliveries(tx, project_id, None, DeliveriesQuery())
    return [(row.event, row.payload) for row in found[::-1]]


def test_the_end_of_a_job_is_reported_with_its_names_and_times(world: World) -> None:
    watch(world, *NAMES)
    world.configure("good", "bad", "warned")
    for config in ("good", "bad", "warned"):
        world.start(EXTRACTOR, config, Kind.STANDARD)
    world.work_with(bad=BAD, warned=WARNED)

    sent = list_sent(world)
    assert [event for event, _ in sent] == ["job-succeeded", "job-failed", "job-succeeded-with-warning"]
    assert [payload.get("errorMessage") for _, payload in sent] == [None, BAD[1], WARNED[1]]
    payload = sent[1][1]
    caller_branch = world.find(int(payload["job"]["id"])).branch_id
    assert payload["job"]["component"] == {"id": EXTRACTOR, "name": "Generic"}
    assert payload["job"]["configuration"] == {"id": "bad", "name": "bad"}
    assert payload["job"]["startTime"] <= payload["job"]["endTime"]
    assert payload["branch"] == {"id": str(caller_branch)}
    assert payload["project"]["name"] == "My project"


def test_a_project_without_subscriptions_publishes_nothing(world: World) -> None:
    world.configure("good")
    watch(world, "job-failed")
    world.start(EXTRACTOR, "good", Kind.STANDARD)
    world.work()

    with world.stack.database.reading() as tx:
        assert tx.value(select(outbox.outbox.c.id)) is None


def test_a_terminated_job_is_not_reported(world: World) -> None:
    watch(world, *NAMES)
    world.configure("long", "waiting")
    job, waiting = (world.start(EXTRACTOR, config, Kind.STANDARD) for config in ("long", "waiting"))
    claimed = world.claim()
    assert claimed
    for job_id in (job, waiting):
        assert world.queue.post(f"/jobs/{job_id}/kill").status == 202
    world.finish(claimed, (Status.TERMINATED, "The job was terminated."))

    assert list_sent(world) == []


def test_filters_select_the_configuration(world: World) -> None:
    watch(world, "job-succeeded", filters=[{"field": "job.configuration.id", "value": "one"}])
    world.configure("one", "two")
    for config in ("one", "two"):
        world.start(EXTRACTOR, config, Kind.STANDARD)
    world.work()

    assert [payload["job"]["configuration"]["id"] for _, payload in list_sent(world)] == ["one"]


def test_attempts_and_rows_are_reported_by_the_job_that_has_them(world: World) -> None:
    watch(world, *NAMES)
    world.configure("customers")
    twice = {"strategy": "linear", "strategyParams": {"maxRetries": 1, "delay": 0}}
    flow = {"phases": [phase("only")], "tasks": [job_task("customers", "only", "customers", retry=twice)]}
    world.save(FLOW, "nightly", flow)
    world.start(FLOW, "nightly")
    world.work_with(customers=[BAD, FINE])

    assert world.ran == ["customers", "customers"]
    sent = [(event, payload["job"]["component"]["id"]) for event, payload in list_sent(world)]
    assert sent == [("job-succeeded", EXTRACTOR), ("job-succeeded", FLOW)]


def test_phases_of_a_conditional_flow_are_reported(world: World) -> None:
    watch(world, *(f"phase-{name}" for name in NAMES))
    world.configure("a", "b")
    document = {
        "phases": [phase("first", next=[step("second")]), phase("second")],
        "tasks": [job_task("a", "first", "a"), job_task("b", "second", "b")],
    }
    world.save(FLOW, "nightly", document)
    flow = world.start(FLOW, "nightly")
    world.work_with(b=BAD)

    sent = [(event, payload["phase"]["id"], payload["job"]["id"]) for event, payload in list_sent(world)]
    assert sent == [("phase-job-succeeded", "first", str(flow)), ("phase-job-failed", "second", str(flow))]


def test_phases_of_an_orchestration_are_reported(world: World) -> None:
    watch(world, "job-failed", "phase-job-failed")
    world.configure("a")
    document = {
        "phases": [{"id": 1, "name": "Load", "dependsOn": []}],
        "tasks": [
            {"id": 1, "name": "a", "phase": 1, "task": {"componentId": EXTRACTOR, "configId": "a", "mode": "run"}}
        ],
    }
    world.save(ORCHESTRATOR, "old", document)
    world.start(ORCHESTRATOR, "old")
    world.work_with(a=BAD)

    sent = [(event, payload["job"]["component"]["id"], payload.get("phase")) for event, payload in list_sent(world)]
    assert sorted(sent, key=str) == [
        ("job-failed", EXTRACTOR, None),
        ("job-failed", ORCHESTRATOR, None),
        ("phase-job-failed", ORCHESTRATOR, {"id": "1", "name": "Load"}),
    ]


def run_for(world: World, monkeypatch: pytest.MonkeyPatch, config: str, seconds: float) -> None:
    """A run that takes so long."""
    world.start(EXTRACTOR, config, Kind.STANDARD)
    job = world.claim()
    assert job
    move_clock(monkeypatch, seconds)
    world.finish(job)


def move_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    later = clock.now() + timedelta(seconds=seconds)
    monkeypatch.setattr(clock, "source", lambda: later)


def test_a_job_that_takes_longer_than_usual_is_reported_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    overtime = {"field": "durationOvertimePercentage", "operator": ">=", "value": "0.5"}
    watch(world, "job-processing-long", filters=[overtime])
    world.configure("a", "new")
    for seconds in (10, 30):
        run_for(world, monkeypatch, "a", seconds)
    job_id = world.start(EXTRACTOR, "a", Kind.STANDARD)
    world.start(EXTRACTOR, "new", Kind.STANDARD)
    assert world.claim()
    assert world.claim()
    move_clock(monkeypatch, 25)
    report_long_jobs(world.stack)
    assert list_sent(world) == []
    for _ in range(2):
        move_clock(monkeypatch, 6)
        report_long_jobs(world.stack)

    [(event, payload)] = list_sent(world)
    assert (event, payload["uniqueId"], payload["job"]["id"]) == ("job-processing-long", str(job_id), str(job_id))
    assert payload["averageDuration"] == pytest.approx(20, abs=1)
    assert payload["currentDuration"] == pytest.approx(30, abs=1)
    assert payload["durationOvertimePercentage"] == pytest.approx(0.5, abs=0.1)
    assert "endTime" not in payload["job"]


def test_a_phase_that_takes_longer_than_usual_is_reported(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(world, "phase-job-processing-long", "job-processing-long")
    world.configure("a")
    task = {"id": 1, "name": "a", "phase": 7, "task": {"componentId": EXTRACTOR, "configId": "a", "mode": "run"}}
    world.save(ORCHESTRATOR, "old", {"phases": [{"id": 7, "name": "Load", "dependsOn": []}], "tasks": [task]})
    flow = 0
    for seconds in (10, 11):
        flow = world.start(ORCHESTRATOR, "old")
        job = world.claim()
        assert job
        move_clock(monkeypatch, seconds)
        report_long_jobs(world.stack)
        world.finish(job)

    sent = {(event, payload["job"]["component"]["id"]): payload for event, payload in list_sent(world)}
    assert set(sent) == {
        ("job-processing-long", EXTRACTOR),
        ("job-processing-long", ORCHESTRATOR),
        ("phase-job-processing-long", ORCHESTRATOR),
    }
    phased = sent["phase-job-processing-long", ORCHESTRATOR]
    assert (phased["phase"], phased["job"]["id"]) == ({"id": "7", "name": "Load"}, str(flow))


def test_an_error_in_one_project_does_not_stop_the_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    other = add_project(world.services)
    http = world.services.service("notification", other.token)
    watch(world, "job-processing-long")
    subscribe(http, "email", "ops@example.com", "job-processing-long")
    run_late(world, monkeypatch)
    theirs = {"project_id": other.caller.project_id, "branch_id": other.caller.main_branch_id}
    with world.stack.database.writing() as tx:
        tx.change(update(jobs.jobs).values(theirs))
    broken = run_late(world, monkeypatch, "b")
    with world.stack.database.writing() as tx:
        tx.change(update(jobs.jobs).where(jobs.jobs.c.id == broken.id).values(type="unknown"))
    report_long_jobs(world.stack)

    assert [each["event"] for each in http.get("/deliveries").json] == ["job-processing-long"]
    assert list_sent(world) == []


def run_late(world: World, monkeypatch: pytest.MonkeyPatch, config: str = "a") -> JobRow:
    """A job that takes longer than the one before."""
    world.configure(config)
    run_for(world, monkeypatch, config, 10)
    world.start(EXTRACTOR, config, Kind.STANDARD)
    job = world.claim()
    assert job
    move_clock(monkeypatch, 20)
    return job


def test_a_job_that_ends_meanwhile_is_not_reported(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(world, "job-processing-long")
    job = run_late(world, monkeypatch)
    with world.stack.database.reading() as tx:
        [(late, average)] = list_late(tx, job.project_id, clock.now())
    world.finish(job)
    with world.stack.database.writing(job.project_id) as tx:
        report_late(tx, late, average)

    assert list_sent(world) == []


def test_nothing_is_written_for_jobs_that_nobody_is_told_about(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(world, "job-processing-long", filters=[{"field": "job.configuration.id", "value": "other"}])
    run_late(world, monkeypatch)
    written, write = list[object](), world.stack.database.writing
    monkeypatch.setattr(world.stack.database, "writing", lambda *given: (written.append(given), write(*given))[1])
    report_long_jobs(world.stack)

    assert written == []


def test_the_report_survives_a_worker_that_is_lost(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(world, "job-succeeded")
    world.configure("good")
    world.start(EXTRACTOR, "good", Kind.STANDARD)
    world.work()
    with world.stack.database.claiming() as tx:
        assert outbox.claim(tx, "lost", clock.now())
    move_clock(monkeypatch, 16)

    assert [event for event, _ in list_sent(world)] == ["job-succeeded"]
    assert [event for event, _ in list_sent(world)] == ["job-succeeded"]
