"""Jobs of Storage that end early: cancelled, past their deadline, or with a file that unpacks too far."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from penstock.foundation import clock
from penstock.foundation.jobs.claims import LEASE
from penstock.foundation.lake import Unpacking
from penstock.foundation.stack import Stack
from penstock.services.storage.store import jobs
from penstock.services.storage.worker import Worker
from tests.support.bombs import make_bomb
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project
from tests.unit.services.storage.loading import fail, load, make_table, rows, storage, succeed, working

MEGABYTES = 4000
"""Of a load that takes minutes."""


@pytest.fixture
def http(services_on_each: ServicesOnly, answers_at_once: None) -> Http:
    """A project with a table; nothing does its jobs, and no request waits for them."""
    http = storage(services_on_each)
    make_table(http, "id,name\n1,Ada\n")
    services_on_each.stop_worker()
    services_on_each.stack.lake.unpacking = Unpacking(0, 0)
    return http


def load_long(http: Http) -> str:
    """A load that takes minutes; the path of its job."""
    response = load(http, "in.c-main.users", make_bomb(MEGABYTES), "data.csv.gz")
    return f"/jobs/{response.json['id']}"


def load_short(http: Http) -> str:
    response = load(http, "in.c-main.users", "id,name\n2,Emmy\n")
    return f"/jobs/{response.json['id']}"


def status(http: Http, path: str) -> str:
    return http.get(path).json["status"]


def ended(http: Http, path: str) -> dict[str, Any]:
    return wait_for(lambda: (job := http.get(path).json)["endTime"] and job)


def test_a_job_that_waits_is_cancelled_at_once(services_on_each: ServicesOnly, http: Http) -> None:
    path = load_short(http)
    response = http.post(f"{path}/cancel")

    assert (response.status, response.json["status"]) == (202, "error")
    assert response.json["error"]["code"] == "storage.jobs.cancelled"
    assert http.get(path).json == response.json
    assert not Worker(services_on_each.stack, "w").run_one()
    assert rows(http, "in.c-main.users") == [["1", "Ada"]]


def check_stopped_early(unpacked: list[int]) -> None:
    assert 0 < sum(unpacked) < MEGABYTES * 1_000_000 / 2, "it was loaded to its end"


def test_a_load_that_runs_is_stopped_and_changes_nothing(
    services_on_each: ServicesOnly, http: Http, unpacked: list[int]
) -> None:
    path = load_long(http)
    with working(services_on_each.stack):
        wait_for(lambda: unpacked)
        response = http.post(f"{path}/cancel")
        job = ended(http, path)

        check_stopped_early(unpacked)
        assert (response.status, response.json["status"]) == (202, "processing")
        assert (job["status"], job["error"]["code"]) == ("error", "storage.jobs.cancelled")
        assert job["error"]["message"] == "The job was cancelled. It changed nothing."
        assert rows(http, "in.c-main.users") == [["1", "Ada"]]
        succeed(http, load(http, "in.c-main.users", "id,name\n2,Emmy\n", incremental=1))
    assert rows(http, "in.c-main.users") == [["1", "Ada"], ["2", "Emmy"]]


def test_a_job_that_takes_too_long_is_stopped(services_on_each: ServicesOnly, http: Http, unpacked: list[int]) -> None:
    path = load_long(http)
    with working(services_on_each.stack.with_settings(storage_job_timeout=1)):
        job = ended(http, path)

    check_stopped_early(unpacked)
    assert (job["status"], job["error"]["code"]) == ("error", "storage.jobs.tooLong")
    assert "longer than the 1 seconds" in job["error"]["message"]
    assert "`storage_job_timeout`" in job["error"]["message"]
    assert rows(http, "in.c-main.users") == [["1", "Ada"]]


def test_a_cancelled_job_whose_worker_died_is_not_begun_again(services_on_each: ServicesOnly, http: Http) -> None:
    stack, path = services_on_each.stack, load_long(http)
    with stack.database.writing() as tx:
        assert jobs.claim_job(tx, "dead", clock.now())
    assert http.post(f"{path}/cancel").json["status"] == "processing"
    with stack.database.writing() as tx:
        tx.change(update(jobs.jobs).where(~jobs.jobs.c.is_finished).values(lease_until=clock.now() - LEASE))

    assert Worker(stack, "living").run_one()
    assert http.get(path).json["error"]["code"] == "storage.jobs.cancelled"


def forget_end(stack: Stack) -> None:
    """As a worker leaves a job that it has done, when it cannot record the end: it was put back."""
    last = select(jobs.jobs.c.id).order_by(jobs.jobs.c.id.desc()).limit(1).scalar_subquery()
    before = {"status": "waiting", "is_finished": False, "worker": None, "end_time": None, "results": None}
    with stack.database.writing() as tx:
        tx.change(update(jobs.jobs).where(jobs.jobs.c.id == last).values(**before))


def test_a_job_whose_rows_are_there_is_not_said_to_have_changed_nothing(
    services_on_each: ServicesOnly, http: Http
) -> None:
    stack, path = services_on_each.stack, load_short(http)
    assert Worker(stack, "first").run_one()
    forget_end(stack)

    assert http.post(f"{path}/cancel").json["status"] == "waiting"
    assert Worker(stack, "second").run_one()
    assert status(http, path) == "success"
    assert rows(http, "in.c-main.users") == [["2", "Emmy"]]


def test_the_deadline_is_that_of_an_attempt(services_on_each: ServicesOnly, http: Http) -> None:
    """The stack may have been down for longer since the job was begun."""
    stack, path = services_on_each.stack, load_short(http)
    with stack.database.writing() as tx:
        began = {"start_time": clock.now() - timedelta(days=1), "attempt": 1}
        tx.change(update(jobs.jobs).where(~jobs.jobs.c.is_finished).values(**began))
    with working(stack):
        assert ended(http, path)["status"] == "success"


def test_a_file_that_unpacks_too_far_is_its_users_mistake(services_on_each: ServicesOnly, http: Http) -> None:
    services_on_each.stack.lake.unpacking = Unpacking(megabytes=10)
    with working(services_on_each.stack):
        code, message = fail(http, load(http, "in.c-main.users", make_bomb(500), "data.csv.gz"))

    assert code == "storage.unpacksTooFar"
    assert "raise the setting `unpacked_megabytes`" in message
    with services_on_each.stack.database.reading() as tx:
        attempts = tx.value(select(jobs.jobs.c.attempt).order_by(jobs.jobs.c.id.desc()).limit(1))
    assert attempts == 1, "it was tried again"


def test_what_has_ended_cannot_be_cancelled(services_on_each: ServicesOnly, http: Http) -> None:
    done = http.get("/jobs").json[0]
    response = http.post(f"/jobs/{done['id']}/cancel")

    assert (response.status, response.json["code"]) == (400, "storage.jobs.finished")
    assert http.get(f"/jobs/{done['id']}").json == done


def test_a_job_is_cancelled_by_who_sees_it(services_on_each: ServicesOnly, http: Http) -> None:
    limited, other = (
        Http(http.base, http.post("/tokens", {"bucketPermissions": {"in.c-main": "write"}}).json["token"])
        for _ in range(2)
    )
    path = load_short(limited)

    elsewhere = storage(services_on_each, add_project(services_on_each))
    assert [who.post(f"{path}/cancel").status for who in (elsewhere, other)] == [404, 404]
    assert status(http, path) == "waiting"
    assert limited.post(f"{path}/cancel").status == 202
    assert [who.post(f"/jobs/{number}/cancel").status for who in (http,) for number in ("x", "0")] == [404, 404]
