"""A job keeps the storage that its branch had when it was created, whatever is turned on or off meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.components.component import Component
from penstock.runtime.launchers import Launcher
from penstock.runtime.sandboxing import SandboxRule
from penstock.services.queue.execution import Execution
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running.monitor import JobMonitor
from penstock.services.queue.worker import launchers
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import new_on_one_database
from tests.unit.services.queue.flows.world import World
from tests.unit.services.queue.own_components import add_component, claim, configure, create_job, execute
from tests.unit.services.storage.storage_branches.making import Branched, turn

TWO, ROWS = "test.two", ("r1", "r2")
SCRIPT = """
write_table("t.csv", "id\\n1\\n", destination=f"in.c-x.{config['parameters']['row']}")
"""

either = pytest.mark.parametrize("is_on", [True, False], ids=["made with the feature", "made without"])


@pytest.fixture
def branched(services: ServicesOnly, tmp_path: Path) -> Branched:
    """A branch with a configuration of two rows, each of which writes a table."""
    add_component(services, tmp_path, TWO, SCRIPT)
    configure(services, TWO, ROWS)
    return Branched(services)


def create(branched: Branched, *, is_on: bool) -> int:
    turn(branched.services, is_on=is_on)
    return int(create_job(branched.services, TWO, config="x", branchId=str(branched.id)))


def find_tables(branched: Branched) -> dict[str, set[str]]:
    """The tables of both branches; without the feature they would be the same."""
    turn(branched.services, is_on=True)
    doors = {"main": branched.main, "branch": branched.branch}
    return {name: {table["id"] for table in http.get("/tables").json} for name, http in doors.items()}


def expected_tables(branched: Branched, *, is_on: bool) -> dict[str, set[str]]:
    if is_on:
        return {"main": set(), "branch": {f"in.c-x.{row}" for row in ROWS}}
    return {"main": {f"in.c-{branched.id}-x.{row}" for row in ROWS}, "branch": set()}


@either
def test_a_job_that_waited_writes_where_it_was_meant_to(branched: Branched, is_on: bool) -> None:
    create(branched, is_on=is_on)
    turn(branched.services, is_on=not is_on)
    job = execute(branched.services, claim(branched.services))

    assert job["status"] == "success", job["result"]
    assert find_tables(branched) == expected_tables(branched, is_on=is_on)


@new_on_one_database
@either
def test_all_parts_of_a_job_write_to_the_same_place(branched: Branched, is_on: bool) -> None:
    create(branched, is_on=is_on)
    job, begun = claim(branched.services), list[str]()

    def turn_before_the_second(component: Component) -> Launcher:
        begun.append(component.id)
        # Asked once before everything else, then for each part.
        if len(begun) == 1 + len(ROWS):
            turn(branched.services, is_on=not is_on)
        return launchers("process", SandboxRule(setting="auto"), branched.services.stack.database)(component)

    with JobMonitor(branched.services.stack, caller_of(job), job) as monitor:
        Execution(branched.services.stack, job, monitor, turn_before_the_second).run()

    assert len(begun) == 1 + len(ROWS)
    assert find_tables(branched) == expected_tables(branched, is_on=is_on)


@new_on_one_database
@either
def test_children_are_created_as_the_job_that_they_are_a_part_of(branched: Branched, is_on: bool) -> None:
    world = World(branched.services)
    whole = create(branched, is_on=is_on)
    world.change(whole, type=Kind.CONTAINER, parallelism="1")
    turn(branched.services, is_on=not is_on)
    while job := world.claim():
        execute(branched.services, job)

    assert world.find(whole).status is Status.SUCCESS
    assert [child.has_storage_branches for child in world.children(whole)] == [is_on, is_on]
    assert find_tables(branched) == expected_tables(branched, is_on=is_on)
