"""Random flows with random outcomes: every flow ends, and as the rules say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.queue.flows.conditional.conditions import Facts
from penstock.services.queue.flows.conditional.course import MAX_VISITS, Course, Step, Visit, find_first, find_next
from penstock.services.queue.flows.conditional.document import Flow, read_flow
from penstock.services.queue.flows.errors import TooManyPhases
from penstock.services.queue.flows.tasks import TaskRun
from penstock.services.queue.models.statuses import Status

NOW = datetime(2026, 3, 2, tzinfo=UTC)
PHASES = ["p0", "p1", "p2", "p3"]
STATUSES = ["success", "error", "warning", "terminated", "cancelled"]


def condition(task: str, status: str) -> dict[str, Any]:
    operands = [{"type": "task", "task": task, "value": "status"}, {"type": "const", "value": status}]
    return {"type": "operator", "operator": "EQUALS", "operands": operands}


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    phases = PHASES[: draw(st.integers(1, 4))]
    tasks = [
        {
            "id": f"{phase}t{n}",
            "name": "t",
            "phase": phase,
            "task": {"type": "job", "componentId": "c", "configId": "1"},
        }
        for phase in phases
        for n in range(draw(st.integers(1, 3)))
    ]
    targets, ids = st.sampled_from([*phases, None]), st.sampled_from([task["id"] for task in tasks])
    steps = st.lists(
        st.builds(
            lambda t, i, s: {"id": "n", "goto": t, "condition": condition(i, s)},
            targets,
            ids,
            st.sampled_from(STATUSES),
        ),
        max_size=2,
    )
    return {
        "phases": [
            {"id": phase, "name": phase, "next": [*draw(steps), {"id": "else", "goto": draw(targets)}]}
            for phase in phases
        ],
        "tasks": tasks,
    }


def run(flow: Flow, choose: Callable[[], str], only: list[str]) -> tuple[Course, Step]:
    course = Course(document={}, only=only)
    step = find_first(flow, course)
    while step.phase is not None:
        tasks = [task.id for task in flow.list_tasks(step.phase) if not only or task.id in only]
        visit = Visit(phase=step.phase, start_time=NOW, tasks=[TaskRun(id=one, status=choose()) for one in tasks])
        course = msgspec.structs.replace(course, visits=[*course.visits, visit])
        step = find_next(flow, course, facts_of(course))
    return course, step


def facts_of(course: Course) -> Facts:
    last = {visit.phase: visit for visit in course.visits}
    tasks = {
        run.id: {"taskId": run.id, "phaseId": visit.phase, "status": run.status}
        for visit in last.values()
        for run in visit.tasks
    }
    return Facts(now=NOW, tasks=tasks)


def is_failed(status: str) -> bool:
    return status in ("error", "terminated", "cancelled")


@given(documents(), st.data())
def test_every_flow_ends_as_the_rules_say(document: dict[str, Any], data: st.DataObject) -> None:
    flow = read_flow(document)
    outcomes = data.draw(st.lists(st.sampled_from(STATUSES), min_size=1, max_size=7))
    chosen = iter(outcomes * (MAX_VISITS * 3))
    try:
        course, end = run(flow, lambda: next(chosen), [])
    except TooManyPhases:
        return
    statuses = [task.status for visit in course.visits for task in visit.tasks]

    assert len(course.visits) <= MAX_VISITS
    assert course.visits[0].phase == "p0"
    assert end.status in (Status.SUCCESS, Status.WARNING, Status.ERROR)
    assert (end.status is Status.SUCCESS) == all(status == "success" for status in statuses)
    if end.status is Status.ERROR:
        assert any(is_failed(task.status) for task in course.visits[-1].tasks)
    for before, after in zip(course.visits, course.visits[1:], strict=False):
        assert after.phase in [step["goto"] for step in _next(document, before.phase)]
        assert all(
            _is_written_about(document, before.phase, task.id) for task in before.tasks if is_failed(task.status)
        )


def _next(document: dict[str, Any], phase_id: str) -> list[dict[str, Any]]:
    return next(phase["next"] for phase in document["phases"] if phase["id"] == phase_id)


def _is_written_about(document: dict[str, Any], phase_id: str, task_id: str) -> bool:
    conditions = [step.get("condition") for step in _next(document, phase_id)]
    return any(one and one["operands"][0]["task"] == task_id for one in conditions)


@given(documents(), st.data())
def test_chosen_tasks_run_once_whatever_happens(document: dict[str, Any], data: st.DataObject) -> None:
    flow = read_flow(document)
    ids = [task.id for task in flow.tasks]
    only = data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    course, end = run(flow, lambda: data.draw(st.sampled_from(STATUSES)), only)

    assert sorted(task.id for visit in course.visits for task in visit.tasks) == sorted(only)
    assert [visit.phase for visit in course.visits] == sorted({visit.phase for visit in course.visits})
    assert end.status is course.visits[-1].status


def test_a_loop_without_an_end_is_the_users_error() -> None:
    task = {"id": "t", "name": "t", "phase": "p", "task": {"type": "variable", "name": "x", "value": 1}}
    flow = read_flow({"phases": [{"id": "p", "name": "p", "next": [{"id": "n", "goto": "p"}]}], "tasks": [task]})

    with pytest.raises(TooManyPhases):
        run(flow, lambda: "success", [])
