"""What a kill costs: nothing. A job goes on with another worker, a stack goes on where it was, rows are exact."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.patience import PATIENCE
from tests.support.processes import children_of
from tests.support.stacks import RunningStack, wait_for

pytestmark = pytest.mark.faults

PAGES, SIZE = 12, 50
TABLE = "in.c-slow.items"
TAKEOVER = PATIENCE


@pytest.fixture
def slow_api() -> Generator[Api]:
    """Pages that take a while, so that a kill falls into the middle."""
    with Api() as api:
        api.on("/items", slow_page)
        yield api


def slow_page(seen: Seen) -> Response:
    time.sleep(0.4)
    first = int(seen.params["offset"])
    last = min(first + SIZE, PAGES * SIZE - 1)
    return Response.json([{"id": number, "name": f"item {number}"} for number in range(first, last)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def start(folder: Path) -> RunningStack:
    return RunningStack(folder, "--allow-host", "127.0.0.1")


def configure(stack: RunningStack, api: Api) -> None:
    pagination = {"method": "offset", "limit": SIZE}
    parameters = {
        "api": {"baseUrl": api.url, "pagination": pagination},
        "config": {"outputBucket": "slow", "jobs": [{"endpoint": "items"}]},
    }
    stack.configure(parameters, "slow")


def start_job_and_reach_its_middle(stack: RunningStack, api: Api) -> str:
    configure(stack, api)
    job_id = stack.start_job("slow")
    wait_for(lambda: len(api.asked("/items")) >= 4)
    return job_id


def assert_exact(stack: RunningStack) -> None:
    assert stack.rows_count(TABLE) == PAGES * SIZE - 1
    assert [row[0] for row in stack.rows(TABLE)] == [str(number) for number in range(PAGES * SIZE - 1)]


def worker_of(stack: RunningStack, job_id: str) -> int:
    """The process that has the job, as the stack's log tells."""
    lines = [line for line in stack.errors.splitlines() if f'"job_id":{job_id}' in line and "job started" in line]
    assert lines
    return next(filter(children_of, children_of(stack.process.pid)))


def test_a_job_whose_worker_is_killed_is_taken_over_and_ends_with_the_right_rows(folder: Path, slow_api: Api) -> None:
    stack = start(folder)
    job_id = start_job_and_reach_its_middle(stack, slow_api)

    os.kill(worker_of(stack, job_id), signal.SIGKILL)

    assert stack.finish_job(job_id, TAKEOVER)["status"] == "success"
    assert_exact(stack)
    assert len(slow_api.asked("/items")) <= PAGES + 1
    stack.stop()


def test_a_killed_worker_takes_its_component_with_it(folder: Path, slow_api: Api) -> None:
    stack = start(folder)
    job_id = start_job_and_reach_its_middle(stack, slow_api)

    os.kill(worker_of(stack, job_id), signal.SIGKILL)
    wait_for(lambda: is_quiet(slow_api))
    stack.stop()


def is_quiet(api: Api) -> bool:
    before = len(api.asked("/items"))
    time.sleep(1)
    return len(api.asked("/items")) == before


def test_a_job_goes_on_after_the_whole_stack_was_killed(folder: Path, slow_api: Api) -> None:
    stack = start(folder)
    job_id = start_job_and_reach_its_middle(stack, slow_api)
    stack.stop(signal.SIGKILL)

    again = start(folder)

    assert again.finish_job(job_id, TAKEOVER)["status"] == "success"
    assert_exact(again)
    assert len(slow_api.asked("/items")) <= PAGES + 1
    again.stop()


def test_a_stack_that_is_asked_to_stop_ends_within_ten_seconds_and_the_job_goes_on_later(
    folder: Path, slow_api: Api
) -> None:
    slow_api.on("/items", very_slow_page)
    stack = start(folder)
    configure(stack, slow_api)
    job_id = stack.start_job("slow")
    wait_for(lambda: slow_api.asked("/items"))

    stack.process.terminate()
    stack.process.wait(PATIENCE)
    slow_api.on("/items", slow_page)
    again = start(folder)

    assert again.finish_job(job_id, TAKEOVER)["status"] == "success"
    assert_exact(again)
    again.stop()


def very_slow_page(_seen: Seen) -> Response:
    time.sleep(60)
    return Response.json([])


def test_a_frozen_worker_that_wakes_up_after_its_lease_changes_nothing(folder: Path, slow_api: Api) -> None:
    stack = start(folder)
    job_id = start_job_and_reach_its_middle(stack, slow_api)
    frozen = worker_of(stack, job_id)

    os.kill(frozen, signal.SIGSTOP)
    finished = stack.finish_job(job_id, TAKEOVER)
    os.kill(frozen, signal.SIGCONT)

    assert finished["status"] == "success"
    wait_for(lambda: "lease lost" in stack.errors)
    assert stack.job(job_id) == finished
    assert_exact(stack)
    stack.stop()
