"""The values and conditions of a transition, as they are written: nodes with nodes inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.services.queue.flows.conditional.paths import is_path
from penstock.services.queue.flows.errors import WrongFlow

EACH = "*"
"""Stands for one task after another, inside the operators about the tasks of a phase."""

TWO = ("EQUALS", "NOT_EQUALS", "GREATER_THAN", "LESS_THAN", "INCLUDES", "CONTAINS")
IN_PHASE = ("ALL_TASKS_IN_PHASE", "ANY_TASKS_IN_PHASE")
ANYWHERE = "ANY_TASKS_IN_ANY_PHASE"
TOLERANT = "CONTINUE_ON_FAILURE"
OPERATORS = ("AND", "OR", *TWO, *IN_PHASE, ANYWHERE, TOLERANT)
FUNCTIONS = ("COUNT", "DATE")
TYPES = ("const", "constant", "variable", "phase", "task", "array", "function", "operator")
DEPTH = 40


class Node(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    value: Any = None
    phase: str | None = None
    task: str | None = None
    tasks: list[str] = []
    function: str | None = None
    operator: str | None = None
    operands: list[Node] = []


def read_node(raw: Any, place: str) -> Node:
    try:
        node = msgspec.convert(raw, Node)
        check_node(node, place)
    except msgspec.ValidationError as error:
        raise WrongFlow(place, explain_error(error)) from error
    except RecursionError as error:
        raise WrongFlow(place, "It is nested too deep.") from error
    return node


def list_nodes(node: Node) -> Iterator[Node]:
    """The node and all nodes inside it."""
    yield node
    for operand in node.operands:
        yield from list_nodes(operand)


def check_node(node: Node, place: str, depth: int = 0, is_each: bool = False) -> None:
    """`is_each`: whether the task `*` means something here."""
    if depth > DEPTH:
        raise WrongFlow(place, f"It is nested deeper than {DEPTH} levels.")
    if node.type not in TYPES:
        raise WrongFlow(place, f'There is no type "{node.type}"; use one of {", ".join(TYPES)}.')
    if problem := _find_problem(node, is_each):
        raise WrongFlow(place, problem)
    inside = is_each or node.operator in (*IN_PHASE, ANYWHERE)
    for number, operand in enumerate(node.operands):
        check_node(operand, f"{place}.operands[{number}]", depth + 1, inside)


def _find_problem(node: Node, is_each: bool) -> str:
    if node.type == "operator":
        return _find_operator_problem(node)
    if node.type == "function":
        return _find_function_problem(node)
    return _find_value_problem(node, is_each)


def _find_value_problem(node: Node, is_each: bool) -> str:
    if node.type == "variable" and not _is_text(node.value):
        return "A variable needs its name as value."
    if node.type == "phase" and (not node.phase or node.value not in ("phaseId", "status")):
        return 'A phase needs its id as phase, and "phaseId" or "status" as value.'
    if node.type == "task" and (not node.task or not _is_text(node.value)):
        return "A task needs its id as task, and a path as value."
    if node.type == "task" and not is_path(str(node.value)):
        return f'"{str(node.value)[:100]}" is not a path (JMESPath).'
    if node.type == "task" and node.task == EACH and not is_each:
        return "The task * has a meaning only inside an operator about the tasks of a phase."
    return ""


def _find_function_problem(node: Node) -> str:
    if node.function not in FUNCTIONS:
        return f'There is no function "{node.function}"; use one of {", ".join(FUNCTIONS)}.'
    return _count_problem(node.function, node, 1)


def _find_operator_problem(node: Node) -> str:
    name = node.operator
    if name not in OPERATORS:
        return f'There is no operator "{name}"; use one of {", ".join(OPERATORS)}.'
    if name in ("AND", "OR"):
        return "" if node.operands else f"{name} takes at least one operand."
    if name in (*IN_PHASE, TOLERANT) and not node.phase:
        return f"{name} needs the id of a phase."
    if name == TOLERANT:
        return _count_problem(name, node, 0)
    if name in TWO:
        return _count_problem(name, node, 2)
    return _count_problem(name, node, 1) or _inner_problem(name, node.operands[0])


def _inner_problem(name: str, inner: Node) -> str:
    is_about_each = any(one.type == "task" and one.task == EACH for one in list_nodes(inner))
    return "" if inner.type == "operator" and is_about_each else f"{name} takes an operator about the task *."


def _count_problem(name: str, node: Node, count: int) -> str:
    found = len(node.operands)
    return "" if found == count else f"{name} takes {count} operand{'' if count == 1 else 's'}, not {found}."


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
