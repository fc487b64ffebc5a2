"""The door through which other services reach jobs."""

from __future__ import annotations

import msgspec
import pytest

from penstock.foundation.callers import Caller
from penstock.services.queue import interface as queue
from penstock.services.queue.errors import JobNotFound, NotKillable
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project

WANTED = queue.NewJob(component="ex-generic-v2", config="sample-orders")


def create(services: ServicesOnly, caller: Caller) -> queue.Job:
    with services.stack.database.writing() as tx:
        return queue.create_job(tx, services.stack, caller, WANTED)


def test_a_job_is_created_read_and_terminated(shared: ServicesOnly) -> None:
    caller = first_project(shared).caller
    created = create(shared, caller)
    with shared.stack.database.writing() as tx:
        assert queue.get_job(tx, caller, str(created.id)) == created
        ended = queue.terminate_job(tx, shared.stack, caller, str(created.id))

    seen = shared.service("queue").get(f"/jobs/{created.id}").json
    assert (created.status, created.message) == (queue.Status.CREATED, "")
    assert (ended.status, ended.is_finished) == (queue.Status.CANCELLED, True)
    assert (seen["status"], seen["result"]["message"]) == ("cancelled", ended.message)
    assert ended.end_time


def test_a_job_that_has_ended_is_not_terminated_again(shared: ServicesOnly) -> None:
    caller = first_project(shared).caller
    job_id = str(create(shared, caller).id)
    with shared.stack.database.writing() as tx:
        queue.terminate_job(tx, shared.stack, caller, job_id)
        with pytest.raises(NotKillable):
            queue.terminate_job(tx, shared.stack, caller, job_id)


def test_jobs_of_another_project_are_not_found(shared: ServicesOnly) -> None:
    job_id, stranger = str(create(shared, first_project(shared).caller).id), add_project(shared).caller
    with shared.stack.database.writing() as tx:
        with pytest.raises(JobNotFound):
            queue.get_job(tx, stranger, job_id)
        with pytest.raises(JobNotFound):
            queue.terminate_job(tx, shared.stack, stranger, job_id)


def test_a_caller_without_the_right_creates_and_terminates_nothing(shared: ServicesOnly) -> None:
    caller = first_project(shared).caller
    job_id = str(create(shared, caller).id)
    reader = msgspec.structs.replace(caller, is_master=False, can_manage_buckets=False, can_create_jobs=False)
    with shared.stack.database.writing() as tx:
        with pytest.raises(queue.NotAllowed):
            queue.create_job(tx, shared.stack, reader, WANTED)
        with pytest.raises(queue.NotAllowed):
            queue.terminate_job(tx, shared.stack, reader, job_id)
