"""The rows of a configuration side by side."""

from __future__ import annotations

import logging

import pytest

from penstock.services.queue.flows import rows
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from tests.support.statements import recorded_statements
from tests.unit.services.queue.flows.world import BAD, EXTRACTOR, World


@pytest.fixture
def world(world: World) -> World:
    world.configure("rows")
    for row_id in ("r1", "r2", "r3", "r4"):
        world.save_row("rows", row_id, isDisabled=row_id == "r4")
    return world


def claim_all(world: World) -> list[JobRow]:
    found: list[JobRow] = []
    while job := world.claim():
        found.append(job)
    return found


@pytest.mark.parametrize(("parallelism", "at_once"), [("1", 1), ("2", 2), ("3", 3), ("infinity", 3), ("9", 3)])
def test_so_many_rows_run_at_once(world: World, parallelism: str, at_once: int) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism=parallelism)
    running = claim_all(world)

    assert len(running) == at_once
    assert len(world.children(whole)) == 3
    while running:
        world.finish(running.pop())
        running += claim_all(world)
        assert len(running) <= at_once
    assert world.show(whole)["status"] == "success"
    assert world.result(whole)["message"] == "Component processing finished."


def test_rows_that_are_listed_run_even_disabled(world: World) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="2", config_row_ids=["r4", "r1"])
    world.work()

    assert len(world.children(whole)) == 2
    assert world.find(whole).status is Status.SUCCESS


def test_rows_that_are_not_there_are_named(world: World) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="2", config_row_ids=["r9"])
    world.work()

    assert world.result(whole)["message"] == 'None of rows "r9" was found.'


def test_the_id_of_a_failed_job_of_rows_is_logged(world: World, caplog: pytest.LogCaptureFixture) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="2", config_row_ids=["r9"])
    with caplog.at_level(logging.INFO):
        world.work()

    [facts] = [vars(record)["facts"] for record in caplog.records if record.message == "job failed"]
    assert (facts["job_id"], facts["exception_id"]) == (whole, world.result(whole)["error"]["exceptionId"])


def test_a_failed_row_is_named_and_the_others_run(world: World) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="1")
    job = world.claim()
    assert job
    world.finish(job, BAD)
    world.work()

    assert world.ran == ["rows"] * 3
    assert world.find(whole).status is Status.ERROR
    assert world.result(whole)["message"] == f'Row "r1" (job {job.id}): The API said no.'


@pytest.mark.parametrize(
    ("on_error", "status", "ran"), [("warning", "warning", 3), ("fail", "error", 3), ("stop", "error", 1)]
)
def test_a_failed_row_does_to_the_whole_what_it_says(world: World, on_error: str, status: str, ran: int) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="1")
    job = world.claim()
    assert job
    world.change(job.id, on_error=on_error)
    world.finish(job, BAD)
    world.work()

    assert world.find(whole).status == status
    assert len(world.ran) == ran
    assert all(child.is_finished for child in world.children(whole))


def test_the_whole_keeps_others_of_its_configuration_waiting_but_not_its_rows(world: World) -> None:
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="infinity")
    other = world.start(EXTRACTOR, "rows", Kind.STANDARD)
    running = claim_all(world)

    assert {job.parent_id for job in running} == {whole}
    assert world.find(other).status is Status.WAITING
    for job in running:
        world.finish(job)
    [last] = claim_all(world)
    assert last.id == other


def test_a_configuration_with_many_rows_is_read_once(world: World) -> None:
    world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="1")
    job = leases.claim_job(world.stack, "worker")
    assert job
    with recorded_statements() as statements:
        leases.begin_flow(world.stack, job)

    assert len([one for one in statements if "FROM storage_configuration_rows" in one]) == 1


FEW, MANY = 10, 14


@pytest.fixture
def many(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """More rows than a transaction makes jobs of; of fewer than usual, since every row is a request here."""
    monkeypatch.setattr(rows, "TASKS_PER_TRANSACTION", FEW)
    world.configure("many")
    for number in range(MANY):
        world.save_row("many", f"m{number:03}")
    return world


def test_many_rows_become_jobs_a_few_at_a_time_and_each_runs_once(many: World) -> None:
    whole = many.start(EXTRACTOR, "many", Kind.CONTAINER, parallelism="infinity")
    first = many.claim()

    assert first
    assert len(many.children(whole)) == FEW
    many.finish(first)
    assert len(many.children(whole)) == MANY
    many.work()
    assert many.find(whole).status is Status.SUCCESS
    ran = [row_id for child in many.children(whole) for row_id in child.config_row_ids]
    assert ran == [f"m{number:03}" for number in range(MANY)]


def test_rows_that_cannot_become_jobs_any_more_have_failed_and_are_named(many: World) -> None:
    whole = many.start(EXTRACTOR, "many", Kind.CONTAINER, parallelism="2")
    first = many.claim()
    assert many.storage.delete(f"/v2/storage/components/{EXTRACTOR}/configs/many").status == 204
    assert first
    many.finish(first)
    many.work()

    assert (many.find(whole).status, len(many.ran)) == (Status.ERROR, FEW)
    said = [line for line in many.result(whole)["message"].splitlines() if line.startswith("Row")]
    assert [line.partition(":")[0] for line in said] == [
        f'Row "m{number:03}" could not be started' for number in range(FEW, MANY)
    ]


def test_rows_that_have_no_job_yet_get_none_when_the_first_failure_stops_the_others(many: World) -> None:
    whole = many.start(EXTRACTOR, "many", Kind.CONTAINER, parallelism="1", on_error="stop")
    first = many.claim()
    assert first
    many.finish(first, BAD)
    many.work()

    assert (many.find(whole).status, len(many.ran)) == (Status.ERROR, 1)
    assert len(many.children(whole)) == FEW
    assert all(child.is_finished for child in many.children(whole))
    assert many.result(whole)["message"].startswith(f'Row "m000" (job {first.id}): The API said no.')


def test_a_row_that_cannot_become_a_job_stops_the_others_if_the_job_says_so(many: World) -> None:
    whole = many.start(EXTRACTOR, "many", Kind.CONTAINER, parallelism="2", on_error="stop")
    first, second = many.claim(), many.claim()
    assert many.storage.delete(f"/v2/storage/components/{EXTRACTOR}/configs/many").status == 204
    assert first
    assert second
    many.finish(first)
    many.finish(second)
    many.work()

    assert (many.find(whole).status, len(many.ran)) == (Status.ERROR, 2)
    ran = {child.status for child in many.children(whole)}
    assert ran == {Status.SUCCESS, Status.CANCELLED}
    unstarted = [line for line in many.result(whole)["message"].splitlines() if "could not be started" in line]
    assert [line.partition(":")[0] for line in unstarted] == [f'Row "m{FEW:03}" could not be started']
