"""What a condition comes to, given what is known of a flow so far."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

import msgspec

from penstock.foundation.strtotime.formats import date
from penstock.services.queue.flows.conditional.comparing import contains, is_equal, is_greater, is_true, to_text
from penstock.services.queue.flows.conditional.nodes import EACH, Node
from penstock.services.queue.flows.conditional.paths import find_value
from penstock.services.queue.flows.errors import WrongFlow
from penstock.services.queue.flows.outcomes import SKIPPED
from penstock.services.queue.models.statuses import Status

Document = dict[str, Any]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What conditions may ask about."""

    now: datetime
    variables: dict[str, str] = {}
    phases: dict[str, str] = {}
    """How each phase ended that has."""
    tasks: dict[str, Document] = {}
    """Each task that has ended, as a document that paths lead into."""

    def list_tasks(self, phase_id: str) -> list[Document]:
        return [task for task in self.tasks.values() if task["phaseId"] == phase_id]


def is_met(node: Node, facts: Facts) -> bool:
    return is_true(evaluate(node, facts))


def evaluate(node: Node, facts: Facts) -> Any:
    """What is not known, such as a task that has not run, is null."""
    try:
        return _evaluate(node, facts, None)
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise WrongFlow("condition", "Its values are too large or too deep to be compared.") from error


def _evaluate(node: Node, facts: Facts, each: Document | None) -> Any:
    """`each` is the task that `*` stands for."""
    return TYPES[node.type](node, facts, each)


def _evaluate_all(node: Node, facts: Facts, each: Document | None) -> list[Any]:
    return [_evaluate(operand, facts, each) for operand in node.operands]


def _read_phase(node: Node, facts: Facts, _each: Document | None) -> Any:
    return node.phase if node.value == "phaseId" else facts.phases.get(node.phase or "")


def _read_task(node: Node, facts: Facts, each: Document | None) -> Any:
    task = each if node.task == EACH else facts.tasks.get(node.task or "")
    return find_value(task, str(node.value)) if task else None


def _call(node: Node, facts: Facts, each: Document | None) -> Any:
    [value] = _evaluate_all(node, facts, each)
    if node.function == "DATE":
        return date(to_text(value), int(facts.now.timestamp()))
    return len(cast(list[Any], value)) if isinstance(value, list | dict) else 0


def _operate(node: Node, facts: Facts, each: Document | None) -> bool:
    name = node.operator or ""
    if name in ACROSS:
        return ACROSS[name](node, facts)
    values = _evaluate_all(node, facts, each)
    return JOINS[name](values) if name in JOINS else COMPARISONS[name](*values)


def _all_in_phase(node: Node, facts: Facts) -> bool:
    tasks = facts.list_tasks(node.phase or "")
    return bool(tasks) and all(_is_so(node, facts, task) for task in tasks)


def _any_in_phase(node: Node, facts: Facts) -> bool:
    return any(_is_so(node, facts, task) for task in facts.list_tasks(node.phase or ""))


def _any_anywhere(node: Node, facts: Facts) -> bool:
    return any(_is_so(node, facts, task) for task in facts.tasks.values())


def _continue_on_failure(node: Node, facts: Facts) -> bool:
    tasks = facts.list_tasks(node.phase or "")
    fine = (Status.SUCCESS, Status.WARNING, SKIPPED)
    return bool(tasks) and all(task["status"] in fine or task["taskId"] in node.tasks for task in tasks)


def _is_so(node: Node, facts: Facts, task: Document) -> bool:
    return is_true(_evaluate(node.operands[0], facts, task))


TYPES: dict[str, Callable[[Node, Facts, Document | None], Any]] = {
    "const": lambda node, _facts, _each: node.value,
    "constant": lambda node, _facts, _each: node.value,
    "variable": lambda node, facts, _each: facts.variables.get(str(node.value)),
    "phase": _read_phase,
    "task": _read_task,
    "array": _evaluate_all,
    "function": _call,
    "operator": _operate,
}
JOINS: dict[str, Callable[[list[Any]], bool]] = {
    "AND": lambda values: all(is_true(value) for value in values),
    "OR": lambda values: any(is_true(value) for value in values),
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "EQUALS": is_equal,
    "NOT_EQUALS": lambda one, other: not is_equal(one, other),
    "GREATER_THAN": is_greater,
    "LESS_THAN": lambda one, other: is_greater(other, one),
    "INCLUDES": contains,
    "CONTAINS": contains,
}
ACROSS: dict[str, Callable[[Node, Facts], bool]] = {
    "ALL_TASKS_IN_PHASE": _all_in_phase,
    "ANY_TASKS_IN_PHASE": _any_in_phase,
    "ANY_TASKS_IN_ANY_PHASE": _any_anywhere,
    "CONTINUE_ON_FAILURE": _continue_on_failure,
}
