"""Every job that ran has one entry in the ledger, and the ledger adds up to the table of jobs."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from penstock.foundation import clock
from penstock.foundation.jobs.claims import LeaseLost
from penstock.services.billing.store import entries
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from tests.support.examples import examples
from tests.support.stacks import ServicesOnly
from tests.unit.services.billing.ledger import (
    NOON,
    check_ledger,
    claimed,
    end,
    entries_of,
    manager,
    pay_as_you_go,
    read_all,
    run_job,
)
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.queue.flows.world import FINE, World
from tests.unit.services.queue.jobs import add_job
from tests.unit.services.scheduler.schedules import clock_at

THREADS, JOBS_EACH = 6, 5
COMPONENTS = (
    ("ex-generic-v2", "extractor"),
    ("own.app", "application"),
    ("own.writer", "writer"),
    ("keboola.snowflake-transformation", "transformation"),
    ("own.thing", "other"),
)
JOB = st.fixed_dictionaries(
    {
        "component": st.sampled_from(COMPONENTS),
        "config": st.sampled_from([None, "a", "b"]),
        "seconds": st.floats(0, 5000, allow_nan=False),
        "size": st.sampled_from(["", "small", "medium", "large"]),
        "bytes": st.integers(0, 10**12),
        "rows": st.integers(0, 10**9),
        "hours_later": st.integers(0, 400),
        "status": st.sampled_from([Status.SUCCESS, Status.ERROR, Status.WARNING]),
    }
)


def test_a_job_that_ends_has_one_entry_with_its_time_and_its_price(services: ServicesOnly) -> None:
    project_id = first_project(services).caller.project_id
    with clock_at(NOON):
        run_job(services, 90, config="orders", rows=7, metrics={"storage": {"outputTablesBytesSum": 2_000}})

    [entry] = entries_of(services, project_id)
    assert (entry["component"], entry["configuration"], entry["day"]) == ("ex-generic-v2", "orders", "2026-06-01")
    assert (entry["duration"], entry["rows"], entry["bytes"]) == (90_000_000, 7, 2_000)
    assert (entry["amount"], entry["hour_price"]) == (50_000, 2_000_000)
    assert check_ledger(services) == 1


@pytest.mark.parametrize("status", [Status.SUCCESS, Status.WARNING, Status.ERROR])
def test_a_job_is_charged_however_it_ends(shared: ServicesOnly, status: Status) -> None:
    before = check_ledger(shared)
    run_job(shared, 10, status=status)

    assert check_ledger(shared) == before + 1


def test_a_terminated_job_is_charged_and_one_that_never_began_is_free(shared: ServicesOnly) -> None:
    before = check_ledger(shared)
    running, waiting = claimed(shared, 20), add_job(shared)
    for job in (running, waiting):
        assert shared.service("queue").post(f"/jobs/{job.id}/kill").status == 202
    leases.end_terminated(shared.stack, running)

    assert check_ledger(shared) == before + 1


def test_a_job_that_its_worker_released_is_charged_from_its_next_start(shared: ServicesOnly) -> None:
    """A stack that is stopped releases its jobs: the time until it starts again is nobody's."""
    before = check_ledger(shared)
    cancelled, continued = claimed(shared, 20), claimed(shared, 20)
    for job in (cancelled, continued):
        leases.release_job(shared.stack, job)
    killed = shared.service("queue").post(f"/jobs/{cancelled.id}/kill").json
    assert (killed["status"], killed["startTime"], killed["durationSeconds"]) == ("cancelled", None, 0)
    again = leases.claim_job(shared.stack, "another")
    assert again
    assert again.id == continued.id
    end(shared, again)

    assert check_ledger(shared) == before + 1
    assert read_all(shared, entries)[-1]["duration"] < 20_000_000


def test_a_job_that_was_taken_over_is_charged_once(shared: ServicesOnly) -> None:
    before = check_ledger(shared)
    first = claimed(shared, 30)
    with shared.stack.database.writing() as tx:
        tx.change(text("UPDATE queue_jobs SET lease_until = '2000-01-01 00:00:00.000000' WHERE NOT is_finished"))
    second = leases.claim_job(shared.stack, "another")
    assert second
    end(shared, second)
    with pytest.raises(LeaseLost):
        end(shared, first)

    assert check_ledger(shared) == before + 1


def test_a_job_whose_workers_all_died_is_charged_once(shared: ServicesOnly) -> None:
    before = check_ledger(shared)
    late = {"lost_leases": 2, "lease_until": clock.now() - timedelta(seconds=1)}
    add_job(shared, status=Status.PROCESSING, start_time=clock.now(), worker="dead", attempt=3, **late)
    assert leases.claim_job(shared.stack, "another") is None

    assert check_ledger(shared) == before + 1


def test_flows_are_free_and_their_jobs_are_charged(services: ServicesOnly) -> None:
    world = World(services)
    world.configure("with-rows")
    for row in ("r1", "r2", "r3"):
        world.save_row("with-rows", row)
    parent = world.start("ex-generic-v2", "with-rows", Kind.CONTAINER, parallelism="2")
    while job := world.claim():
        world.finish(job, FINE)

    assert world.find(parent).is_finished
    assert check_ledger(services) == 3


def test_rows_that_wait_when_their_job_is_terminated_are_free(services: ServicesOnly) -> None:
    world = World(services)
    world.configure("with-rows")
    for row in ("r1", "r2"):
        world.save_row("with-rows", row)
    parent = world.start("ex-generic-v2", "with-rows", Kind.CONTAINER)
    running = world.claim()
    assert running
    assert world.queue.post(f"/jobs/{parent}/kill").status == 202
    leases.end_terminated(services.stack, running)

    assert world.find(parent).status is Status.TERMINATED
    assert check_ledger(services) == 1


def test_jobs_that_end_at_once_are_all_counted(services: ServicesOnly) -> None:
    """In two projects, and in the same day, component and configuration: the same rows of totals."""
    other, mine = add_project(services).caller.project_id, first_project(services).caller.project_id
    running = [
        claimed(services, 7, config="same", project_id=project)
        for project in (mine, other)
        for _ in range(THREADS * JOBS_EACH // 2)
    ]
    ready = threading.Barrier(THREADS)

    def finish(number: int) -> None:
        ready.wait()
        for job in running[number::THREADS]:
            end(services, job, rows=1)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(finish, range(THREADS)))

    assert check_ledger(services) == len(running)


def test_entries_cannot_be_changed_or_deleted(shared: ServicesOnly) -> None:
    run_job(shared, 1)
    before = read_all(shared, entries)
    for statement in ("UPDATE billing_entries SET amount = 0", "DELETE FROM billing_entries"):
        with (
            pytest.raises(DBAPIError, match="entries of the ledger"),
            shared.stack.database.engine.begin() as connection,
        ):
            connection.execute(text(statement))

    assert read_all(shared, entries) == before


def test_the_ledger_of_a_deleted_project_stays(shared: ServicesOnly) -> None:
    """It is an account: what was used was used."""
    project = add_project(shared)
    run_job(shared, 5, project_id=project.caller.project_id)
    with shared.stack.database.writing() as tx:
        tx.change(
            text("UPDATE management_projects SET deleted = created, purged = created WHERE id = :id").bindparams(
                id=project.caller.project_id
            )
        )

    assert len(entries_of(shared, project.caller.project_id)) == 1
    assert manager(shared, "billing:manage").get("/usage/projects?limit=1000").status == 200


@examples(60)
@given(wanted=st.lists(st.tuples(JOB, st.booleans()), max_size=12))
def test_the_ledger_adds_up_to_the_table_of_jobs(
    property_services: ServicesOnly, wanted: list[tuple[dict[str, Any], bool]]
) -> None:
    """In a project that pays as it goes and in one that does not, over a month's end. The ledger grows with every
    example, so it is held against all jobs so far."""
    services = property_services
    mine, other = first_project(services).caller.project_id, find_other(services)
    with clock_at(max(NOON, latest(services))) as moved:
        for job, is_other in wanted:
            moved.move(hours=job["hours_later"])
            component, kind = job["component"]
            sizes = {"inputTablesBytesSum": job["bytes"], "outputTablesBytesSum": job["bytes"] // 2}
            run_job(
                services,
                job["seconds"],
                component=component,
                component_type=kind,
                config=job["config"],
                backend={"containerType": job["size"]} if job["size"] else {},
                project_id=other if is_other else mine,
                status=job["status"],
                rows=job["rows"],
                metrics={"storage": sizes},
            )
    check_ledger(services, frozenset({other}))


def latest(services: ServicesOnly) -> Any:
    return max((entry["created"] for entry in read_all(services, entries)), default=NOON)


OTHERS: dict[int, int] = {}


def find_other(services: ServicesOnly) -> int:
    """The project that pays as it goes; one for all examples."""
    if id(services) not in OTHERS:
        OTHERS[id(services)] = add_project(services).caller.project_id
        pay_as_you_go(services, OTHERS[id(services)])
    return OTHERS[id(services)]
