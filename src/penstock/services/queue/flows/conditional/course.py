"""How far a conditional flow has come, and where it goes next.

A failed task ends the flow, unless a transition of its phase has a condition about it: then the flow goes where its
conditions say. It ends as an error when it ends in a phase that failed, except by a condition that was met.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.services.queue.flows.conditional.conditions import Facts, is_met
from penstock.services.queue.flows.conditional.document import Flow, Transition
from penstock.services.queue.flows.conditional.nodes import ANYWHERE, EACH, IN_PHASE, TOLERANT, Node, list_nodes
from penstock.services.queue.flows.errors import TooManyPhases, UnknownTasks, WrongFlow
from penstock.services.queue.flows.outcomes import FAILED, Outcome, overall_status
from penstock.services.queue.flows.tasks import TaskRun
from penstock.services.queue.models.statuses import Status

MAX_VISITS = 1000


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A phase that was entered; in a loop there are several of one phase."""

    phase: str
    start_time: datetime
    end_time: datetime | None = None
    tasks: list[TaskRun] = []

    @property
    def is_over(self) -> bool:
        return all(task.status for task in self.tasks)

    @property
    def status(self) -> Status:
        return overall_status(Outcome(task.status) for task in self.tasks) if self.is_over else Status.PROCESSING


class Course(msgspec.Struct, frozen=True, kw_only=True):
    document: dict[str, Any]
    """The flow as it was when it began."""
    variables: dict[str, str] = {}
    visits: list[Visit] = []
    only: list[str] = []
    """The tasks that alone are to run; empty for the whole flow."""
    reused: dict[str, int] = {}
    """Tasks that succeeded in an earlier job, and the jobs that did it."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """The next phase, or how the flow ended."""

    phase: str | None = None
    status: Status = Status.SUCCESS


def find_first(flow: Flow, course: Course) -> Step:
    if not course.only:
        return Step(phase=next(iter(flow.phases)))
    known = {task.id for task in flow.tasks if task.enabled}
    if unknown := [task_id for task_id in course.only if task_id not in known]:
        raise UnknownTasks(unknown)
    return Step(phase=_list_chosen(flow, course)[0])


def find_next(flow: Flow, course: Course, facts: Facts) -> Step:
    """Return where to go when the last phase is over."""
    visit = course.visits[-1]
    if course.only:
        rest = _list_chosen(flow, course)[len(course.visits) :]
        return Step(phase=rest[0]) if rest else Step(status=visit.status)
    if len(course.visits) >= MAX_VISITS:
        raise TooManyPhases(MAX_VISITS)
    return _follow(flow, course, facts, visit)


def _list_chosen(flow: Flow, course: Course) -> list[str]:
    """The phases of the chosen tasks, one after another."""
    return [phase for phase in flow.phases if any(task.id in course.only for task in flow.list_tasks(phase))]


def _follow(flow: Flow, course: Course, facts: Facts, visit: Visit) -> Step:
    transitions = flow.phases[visit.phase].next
    failed = [task.id for task in visit.tasks if task.status in FAILED]
    if not all(_is_handled(transitions, visit.phase, task_id) for task_id in failed):
        return Step(status=Status.ERROR)
    taken = _choose(transitions, visit.phase, facts)
    if taken and taken.goto is not None:
        return Step(phase=taken.goto)
    if failed and not (taken and taken.condition):
        return Step(status=Status.ERROR)
    return Step(status=_find_status(course))


def _choose(transitions: list[Transition], phase_id: str, facts: Facts) -> Transition | None:
    for number, step in enumerate(transitions):
        try:
            if not step.condition or is_met(step.condition, facts):
                return step
        except WrongFlow as error:
            raise WrongFlow(f'Phase "{phase_id}", next[{number}]', error.message) from error
    return None


def _find_status(course: Course) -> Status:
    """Failures that the flow went past are warnings."""
    return overall_status(Outcome(visit.status, is_tolerated=True) for visit in course.visits)


def _is_handled(transitions: list[Transition], phase_id: str, task_id: str) -> bool:
    conditions = [step.condition for step in transitions if step.condition]
    return any(_is_about(node, phase_id, task_id) for one in conditions for node in list_nodes(one))


def _is_about(node: Node, phase_id: str, task_id: str) -> bool:
    if node.operator == TOLERANT:
        return node.phase == phase_id and task_id in node.tasks
    if node.operator in IN_PHASE or node.type == "phase":
        return node.phase == phase_id
    return node.operator == ANYWHERE or (node.type == "task" and node.task == task_id and task_id != EACH)
