"""The rows of a configuration side by side."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine, event

from penstock.services.queue import leases
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from tests.unit.services.queue.containers.world import BAD, EXTRACTOR, World


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
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        asked.append(statement)

    world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="1")
    job = leases.claim_job(world.stack, "worker")
    assert job
    event.listen(Engine, "before_cursor_execute", note)
    try:
        leases.begin_container(world.stack, job)
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert len([one for one in asked if "FROM storage_configuration_rows" in one]) == 1
