"""Storage's workers are shared: a project without jobs reserves none, and no project waits for all jobs of another."""

from __future__ import annotations

import pytest

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.jobs.claims import NO_LIMIT
from penstock.foundation.stack import Stack
from penstock.services.storage.operations import jobs as operations
from penstock.services.storage.store import jobs
from penstock.services.storage.worker import Worker
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project


@pytest.fixture
def stack(services_on_each: ServicesOnly) -> Stack:
    services_on_each.stop_worker()
    return services_on_each.stack


def add(stack: Stack, caller: Caller, count: int) -> list[int]:
    wanted = operations.NewJob(operation="bucketDelete", params={"bucketId": "in.c-none", "_number": 0})
    with stack.database.writing() as tx:
        return [operations.create_job(tx, caller, wanted).id for _ in range(count)]


def claim(stack: Stack, limit: int = NO_LIMIT) -> int | None:
    with stack.database.claiming() as tx:
        job = jobs.claim_job(tx, "w", clock.now(), limit)
    return job.id if job else None


def test_the_project_with_the_fewest_running_jobs_is_next(services_on_each: ServicesOnly, stack: Stack) -> None:
    busy, quiet = first_project(services_on_each).caller, add_project(services_on_each).caller
    many = add(stack, busy, 4)
    one, other = add(stack, quiet, 2)

    assert [claim(stack) for _ in range(6)] == [many[0], one, many[1], other, many[2], many[3]]


def test_a_project_that_has_its_share_waits_and_the_others_do_not(services_on_each: ServicesOnly, stack: Stack) -> None:
    busy, quiet = first_project(services_on_each).caller, add_project(services_on_each).caller
    many = add(stack, busy, 4)

    assert [claim(stack, 2) for _ in range(3)] == [many[0], many[1], None]
    [one] = add(stack, quiet, 1)
    assert [claim(stack, 2) for _ in range(2)] == [one, None]


def test_a_project_has_all_workers_while_another_is_idle(services_on_each: ServicesOnly, stack: Stack) -> None:
    busy, quiet = first_project(services_on_each).caller, add_project(services_on_each).caller
    add(stack, busy, 4)
    two = stack.with_settings(workers=2)
    assert claim(stack)

    assert Worker(two, "w").run_one()
    assert not Worker(two.with_settings(storage_jobs_per_project=1), "w").run_one()
    [one] = add(stack, quiet, 1)
    assert claim(stack) == one, "the project with the fewest running is next"
