"""`keboola.orchestrator`: phases that depend on other phases, and what may begin when some of them have ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from penstock.services.queue.flows.errors import UnknownTasks, WrongFlow
from penstock.services.queue.flows.fields import check_unique, list_items, read_struct, regular
from penstock.services.queue.flows.outcomes import Outcome
from penstock.services.queue.flows.tasks import JobTask, Text, check_job_task


class Behavior(msgspec.Struct, frozen=True, rename="camel"):
    on_error: Literal["stop", "warning", "fail"] | None = None


class Phase(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: Text
    name: Text
    depends_on: list[str] = []
    behavior: Behavior = Behavior()


class Task(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: Text
    name: Text
    phase: Text
    enabled: bool = True
    continue_on_failure: bool = False
    task: JobTask


class Orchestration(msgspec.Struct, frozen=True, kw_only=True):
    phases: list[Phase]
    tasks: list[Task]

    def list_tasks(self, phase_id: str) -> list[Task]:
        return [task for task in self.tasks if task.phase == phase_id]


class Change(msgspec.Struct, frozen=True):
    """What is to be done with phases that have not begun."""

    released: list[str]
    cancelled: list[str]


def read_orchestration(document: dict[str, Any]) -> Orchestration:
    phases = [_read_phase(raw, f"phases[{n}]") for n, raw in enumerate(list_items(document, "phases"))]
    tasks = [_read_task(raw, f"tasks[{n}]") for n, raw in enumerate(list_items(document, "tasks"))]
    check_unique((phase.id for phase in phases), "phases")
    check_unique((task.id for task in tasks), "tasks")
    _check_references(phases, tasks)
    _check_order(phases)
    return Orchestration(phases=phases, tasks=tasks)


def choose_tasks(whole: Orchestration, task_ids: list[str]) -> Orchestration:
    """Keep only these tasks and their phases. A phase that is left out passes on what it depends on."""
    known = {task.id for task in whole.tasks if task.enabled}
    if unknown := [task_id for task_id in task_ids if task_id not in known]:
        raise UnknownTasks(unknown)
    tasks = [task for task in whole.tasks if task.id in task_ids]
    kept = {task.phase for task in tasks}
    phases = [
        msgspec.structs.replace(phase, depends_on=_pass_on(whole, phase, kept))
        for phase in whole.phases
        if phase.id in kept
    ]
    return Orchestration(phases=phases, tasks=tasks)


def find_change(flow: Orchestration, outcomes: Mapping[str, Outcome], waiting: set[str]) -> Change:
    """What follows from the phases that have ended, for those that still wait."""
    stops = [phase.id for phase in flow.phases if phase.behavior.on_error == "stop"]
    broken = {phase_id for phase_id, outcome in outcomes.items() if outcome.is_failed and not outcome.is_tolerated}
    if broken.intersection(stops):
        return Change([], [phase.id for phase in flow.phases if phase.id in waiting])
    cancelled = _find_cut_off(flow, broken, waiting)
    ready = [
        phase.id
        for phase in flow.phases
        if phase.id in waiting and phase.id not in cancelled and all(one in outcomes for one in phase.depends_on)
    ]
    return Change(ready, cancelled)


def _find_cut_off(flow: Orchestration, broken: set[str], waiting: set[str]) -> list[str]:
    """Return the phases that depend on a phase that failed, directly or through others."""
    lost, found = set(broken), list[str]()
    while new := [
        p.id for p in flow.phases if p.id in waiting and p.id not in lost and lost.intersection(p.depends_on)
    ]:
        found += new
        lost.update(new)
    return found


def _pass_on(whole: Orchestration, phase: Phase, remaining: set[str]) -> list[str]:
    phases = {one.id: one for one in whole.phases}
    found, seen, left = list[str](), set[str](), list(phase.depends_on)
    while left:
        one = left.pop()
        if one in seen:
            continue
        seen.add(one)
        if one in remaining:
            found.append(one)
        else:
            left += phases[one].depends_on
    return found


def _read_phase(raw: dict[str, Any], place: str) -> Phase:
    return read_struct(_with_regular(raw, "behavior"), Phase, place)


def _read_task(raw: dict[str, Any], place: str) -> Task:
    task = read_struct(_with_regular(raw, "task"), Task, place)
    if task.enabled:
        check_job_task(task.task, f"{place}.task")
    return task


def _with_regular(raw: dict[str, Any], name: str) -> dict[str, Any]:
    inner = raw.get(name)
    return {**raw, name: regular(inner)} if isinstance(inner, dict) else raw  # pyright: ignore[reportUnknownArgumentType]


def _check_references(phases: list[Phase], tasks: list[Task]) -> None:
    known = {phase.id for phase in phases}
    for number, phase in enumerate(phases):
        for one in phase.depends_on:
            if one not in known:
                raise WrongFlow(f"phases[{number}].dependsOn", f'There is no phase "{one}".')
    for number, task in enumerate(tasks):
        if task.phase not in known:
            raise WrongFlow(f"tasks[{number}].phase", f'There is no phase "{task.phase}".')


def _check_order(phases: list[Phase]) -> None:
    done, left = set[str](), phases
    while ready := [phase for phase in left if done.issuperset(phase.depends_on)]:
        done.update(phase.id for phase in ready)
        left = [phase for phase in left if phase.id not in done]
    if left:
        names = ", ".join(f'"{phase.id}"' for phase in left)
        raise WrongFlow("phases", f"The phases {names} depend on each other in a circle, so none of them can begin.")
