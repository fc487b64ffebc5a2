"""Random orchestrations with random outcomes: no phase begins before those it depends on, and every phase ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.queue.flows.errors import WrongFlow
from penstock.services.queue.flows.orchestration.document import (
    Orchestration,
    choose_tasks,
    find_change,
    read_orchestration,
)
from penstock.services.queue.flows.outcomes import Outcome, overall_status

STATUSES = ["success", "warning", "error", "terminated"]


@st.composite
def orchestrations(draw: st.DrawFn) -> Orchestration:
    count = draw(st.integers(1, 7))
    phases: list[dict[str, Any]] = []
    for number in range(count):
        before = st.lists(st.integers(0, number - 1), unique=True) if number else st.just([])
        behavior = {"onError": draw(st.sampled_from([None, "stop", "warning", "fail"]))}
        phases.append({"id": number, "name": "p", "dependsOn": draw(before), "behavior": behavior})
    tasks = [
        {"id": n, "name": "t", "phase": n, "task": {"componentId": "c", "configId": 1, "mode": "run"}}
        for n in range(count)
    ]
    return read_orchestration({"phases": draw(st.permutations(phases)), "tasks": tasks})


def simulate(flow: Orchestration, data: st.DataObject) -> tuple[dict[str, Outcome], list[str]]:
    """Phases end in any order; returns how, and in which order they began."""
    waiting = {phase.id for phase in flow.phases if phase.depends_on}
    running = [phase.id for phase in flow.phases if not phase.depends_on]
    tolerated = {phase.id: phase.behavior.on_error == "warning" for phase in flow.phases}
    outcomes: dict[str, Outcome] = {}
    began = list(running)
    while running:
        one = running.pop(data.draw(st.integers(0, len(running) - 1)))
        outcomes[one] = Outcome(data.draw(st.sampled_from(STATUSES)), tolerated[one])
        change = find_change(flow, outcomes, waiting)
        for phase_id in change.released:
            needed = next(phase.depends_on for phase in flow.phases if phase.id == phase_id)
            assert all(other in outcomes for other in needed)
            assert not any(outcomes[other].is_failed and not outcomes[other].is_tolerated for other in needed)
        outcomes |= {phase_id: Outcome("cancelled") for phase_id in change.cancelled}
        waiting -= {*change.released, *change.cancelled}
        running += change.released
        began += change.released
    assert not waiting
    return outcomes, began


@given(orchestrations(), st.data())
def test_every_phase_ends_and_none_begins_too_early(flow: Orchestration, data: st.DataObject) -> None:
    outcomes, began = simulate(flow, data)

    assert set(outcomes) == {phase.id for phase in flow.phases}
    assert len(began) == len(set(began))
    broken = any(ending.is_failed and not ending.is_tolerated for ending in outcomes.values())
    assert (overall_status(outcomes.values()) == "error") == broken


@given(orchestrations(), st.data())
def test_chosen_tasks_keep_their_order(flow: Orchestration, data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from([task.id for task in flow.tasks]), min_size=1, unique=True))
    part = choose_tasks(flow, wanted)

    assert {phase.id for phase in part.phases} == set(wanted)
    assert all(set(phase.depends_on) <= set(wanted) for phase in part.phases)
    for phase in part.phases:
        assert set(phase.depends_on) <= _reach(flow, phase.id)


def _reach(flow: Orchestration, phase_id: str) -> set[str]:
    """All that a phase waits for, through others too."""
    needed = {phase.id: phase.depends_on for phase in flow.phases}
    found, left = set[str](), list(needed[phase_id])
    while left:
        one = left.pop()
        found.add(one)
        left += needed[one]
    return found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "phase", "task", "dependsOn", "componentId", "x"]), inner, max_size=5
        )
    ),
    max_leaves=10,
)


@given(st.fixed_dictionaries({"phases": JSON | st.lists(JSON), "tasks": JSON | st.lists(JSON)}))
def test_whatever_is_written_is_read_or_refused_with_its_place(document: dict[str, Any]) -> None:
    problem = find_problem(document)

    assert problem == "" or problem.startswith(("phases", "tasks"))


def find_problem(document: dict[str, Any]) -> str:
    try:
        read_orchestration(document)
    except WrongFlow as error:
        return error.message
    return ""


def test_numbers_as_texts_and_empty_lists_for_objects_are_read() -> None:
    flow = read_orchestration(
        {
            "phases": [{"id": 1, "name": "x", "dependsOn": [], "behavior": [], "description": None}],
            "tasks": [
                {
                    "id": 2,
                    "name": "t",
                    "phase": 1,
                    "enabled": "true",
                    "task": {"componentId": "c", "configId": 5, "configData": []},
                }
            ],
        }
    )

    assert (flow.phases[0].id, flow.tasks[0].phase, flow.tasks[0].task.config_id) == ("1", "1", 5)


def test_a_circle_is_named() -> None:
    phases = [{"id": n, "name": "x", "dependsOn": [(n + 1) % 3]} for n in range(3)]

    with pytest.raises(WrongFlow, match='"0", "1", "2" depend on each other'):
        read_orchestration({"phases": phases, "tasks": []})
