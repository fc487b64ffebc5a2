"""Storage's worker: jobs in order, taken over, abandoned; and the maintenance between them."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.claims import LEASE
from penstock.foundation.stack import Stack
from penstock.services.storage import worker
from penstock.services.storage.models.jobs import JobRow, JobStatus
from penstock.services.storage.operations import jobs as operations
from penstock.services.storage.operations.maintenance import maintain_all
from penstock.services.storage.operations.work import OPERATIONS
from penstock.services.storage.store import jobs
from penstock.services.storage.worker import Worker
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import first_project
from tests.unit.services.storage.loading import load, make_table, rows, storage, succeed


@pytest.fixture
def idle(services: ServicesOnly) -> ServicesOnly:
    """A stack whose worker was stopped."""
    services.stop_worker()
    return services


def add(services: ServicesOnly, lock_key: str | None, operation: str = "bucketDelete") -> JobRow:
    wanted = operations.NewJob(operation=operation, params={"bucketId": "in.c-none", "_number": 0}, lock_key=lock_key)
    with services.stack.database.writing() as tx:
        return operations.create_job(tx, first_project(services).caller, wanted)


def claim(stack: Stack, worker: str = "w", **later: float) -> int | None:
    with stack.database.writing() as tx:
        job = jobs.claim_job(tx, worker, clock.now() + timedelta(**later))
    return job.id if job else None


def test_jobs_of_one_table_or_bucket_run_in_their_order(idle: ServicesOnly):
    first, _inside, other, _whole, none = (
        add(idle, lock_key).id for lock_key in ("in.c-a", "in.c-a.t", "in.c-ab.t", "in.c-ab", None)
    )

    assert [claim(idle.stack) for _ in range(4)] == [first, other, none, None]


def test_jobs_of_two_projects_do_not_wait_for_each_other(idle: ServicesOnly):
    first = add(idle, "in.c-a")
    with idle.stack.database.writing() as tx:
        other = first_project(idle).caller
        wanted = operations.NewJob(operation="bucketDelete", params={}, lock_key="in.c-a")
        second = operations.create_job(tx, msgspec.structs.replace(other, project_id=other.project_id + 1), wanted)

    assert [claim(idle.stack), claim(idle.stack)] == [first.id, second.id]


def test_a_job_whose_worker_died_is_taken_over_and_given_up_in_the_end(idle: ServicesOnly):
    job = add(idle, None)
    seconds = LEASE.total_seconds() + 1
    for number in range(3):
        assert claim(idle.stack, "dead", seconds=number * seconds) == job.id
    assert claim(idle.stack, "dead", seconds=2 * seconds) is None

    clock_later(idle, 3 * seconds)
    ended = ended_job(idle, job)

    assert (ended.status, b"each time its worker died" in (ended.error or b"")) == (JobStatus.ERROR, True)


def clock_later(services: ServicesOnly, seconds: float) -> None:
    """Let the lease run out by moving it back."""
    with services.stack.database.writing() as tx:
        tx.change(update(jobs.jobs).values(lease_until=clock.now() - timedelta(seconds=seconds)))


def ended_job(services: ServicesOnly, job: JobRow) -> JobRow:
    assert Worker(services.stack, "living").run_one()
    with services.stack.database.reading() as tx:
        found = jobs.find_job(tx, job.project_id, job.id)
    assert found
    return found


def test_the_id_of_a_defect_is_logged_with_its_traceback(idle: ServicesOnly, caplog: pytest.LogCaptureFixture):
    ended = ended_job(idle, add(idle, None, "tableTeleport"))

    [record] = [record for record in caplog.records if record.message == "job failed"]
    assert vars(record)["facts"]["exception_id"] == msgspec.json.decode(ended.error or b"")["exceptionId"]
    assert record.exc_info


def test_an_operation_that_is_not_known_is_our_fault_and_said_so(idle: ServicesOnly):
    ended = ended_job(idle, add(idle, None, "tableTeleport"))

    assert (ended.status, b"no fault of yours" in (ended.error or b"")) == (JobStatus.ERROR, True)


@pytest.mark.usefixtures("answers_at_once")
def test_a_job_whose_token_was_revoked_does_nothing(services: ServicesOnly):
    http = storage(services)
    make_table(http, "id\n1\n")
    limited: dict[str, Any] = http.post("/tokens", {"bucketPermissions": {"in.c-main": "write"}}).json
    services.stop_worker()
    response = load(Http(http.base, limited["token"]), "in.c-main.users", "id\n2\n")
    assert http.delete(f"/tokens/{limited['id']}").status == 204

    assert Worker(services.stack, "w").run_one()
    job = http.get(f"/jobs/{response.json['id']}").json
    assert (job["status"], job["error"]["code"]) == ("error", "storage.tokenInvalid")
    assert rows(http, "in.c-main.users") == [["1"]]


def test_work_that_was_done_but_not_recorded_is_not_done_twice(services: ServicesOnly):
    http = storage(services)
    make_table(http, "id\n1\n")
    response = load(http, "in.c-main.users", "id\n2\n", incremental=1)
    wait_for(lambda: http.get(f"/jobs/{response.json['id']}").json["status"] == "success")
    services.stop_worker()
    with services.stack.database.writing() as tx:  # as left by a worker that dies before it records the end
        undone = {"is_finished": False, "status": "processing", "lease_until": clock.now() - LEASE, "results": None}
        tx.change(update(jobs.jobs).where(jobs.jobs.c.id == response.json["id"]).values(**undone))

    assert Worker(services.stack, "next").run_one()
    assert http.get(f"/jobs/{response.json['id']}").json["results"]["totalRowsCount"] == 2
    assert rows(http, "in.c-main.users") == [["1"], ["2"]]


def test_maintenance_changes_nothing_visible(services: ServicesOnly):
    http = storage(services)
    make_table(http, "id\n1\n", primaryKey="id")
    for number in range(5):
        succeed(http, load(http, "in.c-main.users", f"id\n{number}\n", incremental=1))

    maintain_all(services.stack, clock.now() - timedelta(days=1))

    assert rows(http, "in.c-main.users") == [[str(number)] for number in range(5)]


def test_a_job_that_cannot_be_done_now_is_done_later(idle: ServicesOnly, monkeypatch: pytest.MonkeyPatch):
    tried: list[int] = []

    def work(_stack: Stack, _caller: Caller, job: JobRow) -> str:
        tried.append(job.attempt)
        if len(tried) < 3:
            raise Unavailable("The disk is full.")
        return "done"

    monkeypatch.setitem(OPERATIONS, "patience", work)
    monkeypatch.setattr(worker, "PATIENCE_SECONDS", 0.0)
    job = add(idle, None, "patience")
    for _ in range(2):
        assert ended_job(idle, job).status == JobStatus.WAITING

    assert (ended_job(idle, job).status, tried) == (JobStatus.SUCCESS, [1, 2, 3])


def test_a_job_that_can_never_be_done_ends(idle: ServicesOnly, monkeypatch: pytest.MonkeyPatch):
    def work(_stack: Stack, _caller: Caller, _job: JobRow) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setitem(OPERATIONS, "patience", work)
    monkeypatch.setattr(worker, "PATIENCE_SECONDS", 0.0)
    job = add(idle, None, "patience")
    ended = [ended_job(idle, job) for _ in range(worker.ATTEMPTS)][-1]

    assert (ended.status, b"The disk is full." in (ended.error or b"")) == (JobStatus.ERROR, True)


def test_a_drop_that_comes_late_leaves_the_new_table_alone(services: ServicesOnly):
    http = storage(services)
    make_table(http, "id\n1\n")
    assert http.delete("/tables/in.c-main.users").status == 204
    [drop] = [job for job in http.get("/jobs").json if job["operationName"] == "tableDrop"]
    make_table(http, "id\n2\n")

    do_again(services, drop["id"])

    assert rows(http, "in.c-main.users") == [["2"]]


def test_a_column_without_a_record_is_dropped_by_the_next_attempt(services: ServicesOnly):
    http = storage(services)
    make_table(http, "id,name\n1,old\n")
    succeed(http, http.delete("/tables/in.c-main.users/columns/name"))
    [drop] = [job for job in http.get("/jobs").json if job["operationName"] == "tableColumnDelete"]
    succeed(http, http.post("/tables/in.c-main.users/columns", {"name": "other"}))

    do_again(services, drop["id"])

    assert rows(http, "in.c-main.users") == [["1", ""]]


def do_again(services: ServicesOnly, job_id: int) -> None:
    """As if its worker had died before it recorded the end."""
    services.stop_worker()
    undone = {"is_finished": False, "status": "processing", "lease_until": clock.now() - LEASE, "results": None}
    with services.stack.database.writing() as tx:
        tx.change(update(jobs.jobs).where(jobs.jobs.c.id == job_id).values(**undone))
    assert Worker(services.stack, "next").run_one()


def test_on_a_full_disk_only_what_makes_room_is_done(idle: ServicesOnly, monkeypatch: pytest.MonkeyPatch):
    loads = [add(idle, "in.c-a.t", "tableImport").id, add(idle, "in.c-b", "tableSnapshotCreate").id]
    rows, behind = add(idle, "in.c-b.t", "tableRowsDelete").id, add(idle, "in.c-a", "bucketDelete").id
    free = add(idle, "in.c-none", "bucketDelete").id
    real = os.statvfs(idle.stack.folder)
    full = os.statvfs_result((*real[:3], 0, 0, *real[5:]))
    with monkeypatch.context() as patch:
        patch.setattr(os, "statvfs", lambda _path: full)
        assert idle.stack.ballast.is_read_only()
        assert [Worker(idle.stack, "w").run_one() for _ in range(3)] == [True, True, False]

    with idle.stack.database.reading() as tx:
        every = {
            job_id: jobs.find_status(tx, first_project(idle).caller.project_id, job_id) != JobStatus.WAITING
            for job_id in (*loads, rows, behind, free)
        }
    # A bucket that goes does not wait for what would be loaded into it; rows are deleted after the loads before them.
    assert every == {loads[0]: False, loads[1]: False, rows: False, behind: True, free: True}

    assert [claim(idle.stack), claim(idle.stack)] == loads
