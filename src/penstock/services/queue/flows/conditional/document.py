"""`keboola.flow`: phases that say where to go next, and tasks that run a job, send a notification or set a variable."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

import msgspec

from penstock.foundation.limits import RECIPIENTS
from penstock.services.queue.flows.conditional.nodes import Node, read_node
from penstock.services.queue.flows.errors import WrongFlow
from penstock.services.queue.flows.fields import check_unique, list_items, read_struct, to_id
from penstock.services.queue.flows.tasks import JobTask, Retry, Text, check_job_task


class Recipient(msgspec.Struct, frozen=True):
    channel: Literal["email", "webhook"]
    address: str


class Notification(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    recipients: Annotated[list[Recipient | str], msgspec.Meta(max_length=RECIPIENTS)]
    """Older flows write an address alone."""
    message: str = ""


class Variable(msgspec.Struct, frozen=True, kw_only=True):
    name: Text
    value: Any = None
    source: Node | None = None


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """A task without what it does, which is read by its type."""

    id: Text
    name: Text
    phase: Text
    enabled: bool = True


class Task(Heading, frozen=True, kw_only=True):
    work: JobTask | Notification | Variable

    @property
    def type(self) -> str:
        return next(name for name, kind in KINDS.items() if isinstance(self.work, kind))


class Transition(msgspec.Struct, frozen=True, kw_only=True):
    goto: str | None
    """A phase, or nowhere: the flow ends."""
    condition: Node | None = None


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    id: Text
    name: Text
    retry: Retry | None = None
    """For those of its tasks that do not say themselves."""
    next: list[Transition] = []


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    phases: dict[str, Phase]
    """In their order; the first is where the flow begins."""
    tasks: list[Task]

    def list_tasks(self, phase_id: str) -> list[Task]:
        return [task for task in self.tasks if task.phase == phase_id and task.enabled]


KINDS: dict[str, type[JobTask | Notification | Variable]] = {
    "job": JobTask,
    "notification": Notification,
    "variable": Variable,
}


def read_flow(document: dict[str, Any]) -> Flow:
    phases = [_read_phase(raw, f"phases[{n}]") for n, raw in enumerate(list_items(document, "phases"))]
    tasks = [_read_task(raw, f"tasks[{n}]") for n, raw in enumerate(list_items(document, "tasks"))]
    check_unique((phase.id for phase in phases), "phases")
    check_unique((task.id for task in tasks), "tasks")
    flow = Flow(phases={phase.id: phase for phase in phases}, tasks=tasks)
    _check(flow)
    return flow


def _read_phase(raw: dict[str, Any], place: str) -> Phase:
    steps = list_items(raw, "next") if raw.get("next") else []
    phase = read_struct({**raw, "next": None}, Phase, place)
    found = [_read_transition(step, f"{place}.next[{number}]") for number, step in enumerate(steps)]
    if found and found[-1].condition:
        raise WrongFlow(f"{place}.next", "The last transition must have no condition: it is taken when no other is.")
    return msgspec.structs.replace(phase, next=found)


def _read_transition(raw: dict[str, Any], place: str) -> Transition:
    goto = to_id(raw.get("goto"))
    if "goto" not in raw or not isinstance(goto, str | None):
        raise WrongFlow(f"{place}.goto", "There must be the id of a phase here, or null to end the flow.")
    condition = raw.get("condition")
    node = read_node(condition, f"{place}.condition") if condition not in (None, [], {}) else None
    return Transition(goto=goto, condition=node)


def _read_task(raw: dict[str, Any], place: str) -> Task:
    inner = raw.get("task")
    if not isinstance(inner, dict):
        raise WrongFlow(f"{place}.task", "There must be an object here.")
    head = read_struct(raw, Heading, place)
    work = _read_work(cast(dict[str, Any], inner), f"{place}.task")
    if isinstance(work, JobTask) and head.enabled:
        check_job_task(work, f"{place}.task")
    return Task(id=head.id, name=head.name, phase=head.phase, enabled=head.enabled, work=work)


def _read_work(raw: dict[str, Any], place: str) -> JobTask | Notification | Variable:
    kind = KINDS.get(str(raw.get("type")))
    if not kind:
        raise WrongFlow(f"{place}.type", f"There must be one of {', '.join(KINDS)} here.")
    if kind is Variable:
        return _read_variable(raw, place)
    return read_struct(raw, kind, place)


def _read_variable(raw: dict[str, Any], place: str) -> Variable:
    source = raw.get("source")
    node = read_node(source, f"{place}.source") if source else None
    if node is None and "value" not in raw:
        raise WrongFlow(place, "A variable needs a value or a source.")
    return msgspec.structs.replace(
        read_struct({"name": raw.get("name")}, Variable, place), value=raw.get("value"), source=node
    )


def _check(flow: Flow) -> None:
    if not flow.phases:
        raise WrongFlow("phases", "The flow has no phases.")
    for number, task in enumerate(flow.tasks):
        if task.phase not in flow.phases:
            raise WrongFlow(f"tasks[{number}].phase", f'There is no phase "{task.phase}".')
    for number, phase in enumerate(flow.phases.values()):
        if not flow.list_tasks(phase.id):
            raise WrongFlow(f"phases[{number}]", f'The phase "{phase.id}" has no enabled task.')
        for step, transition in enumerate(phase.next):
            if transition.goto is not None and transition.goto not in flow.phases:
                raise WrongFlow(f"phases[{number}].next[{step}].goto", f'There is no phase "{transition.goto}".')
