"""What conditions come to."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.queue.flows.conditional.comparing import StatusWord
from penstock.services.queue.flows.conditional.conditions import Facts, evaluate, is_met
from penstock.services.queue.flows.conditional.nodes import DEPTH, OPERATORS, TYPES, read_node
from penstock.services.queue.flows.errors import WrongFlow


def task(task_id: str, phase_id: str, status: str, **result: Any) -> dict[str, Any]:
    word = StatusWord(status, "user_error" if status == "error" else "")
    job = {"id": "7", "componentId": "c", "configId": "1", "status": word, "result": result, "duration": 61}
    return {"taskId": task_id, "phaseId": phase_id, "status": word, "job": job}


OUTPUT = {"tables": [{"id": "a", "metrics": [{"value": 3}]}, {"id": "b", "metrics": [{"value": 4}]}]}
FACTS = Facts(
    now=datetime(2026, 3, 2, 5, 0, tzinfo=UTC),
    variables={"limit": "10", "on": "true"},
    phases={"p": "error", "q": "success"},
    tasks={
        "t1": task("t1", "p", "success", output=OUTPUT),
        "t2": task("t2", "p", "error", message="Timeout: 3"),
        "t3": task("t3", "q", "success"),
    },
)


def const(value: Any) -> dict[str, Any]:
    return {"type": "const", "value": value}


def of(task_id: str, path: str) -> dict[str, Any]:
    return {"type": "task", "task": task_id, "value": path}


def var(name: str) -> dict[str, Any]:
    return {"type": "variable", "value": name}


def op(name: str, *operands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"type": "operator", "operator": name, "operands": list(operands), **fields}


def call(name: str, *operands: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": name, "operands": list(operands)}


EACH_FINE = op("EQUALS", of("*", "job.status"), const("success"))
EACH_BAD = op("EQUALS", of("*", "status"), const("error"))


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (const([1, "x"]), [1, "x"]),
        ({"type": "constant", "value": None}, None),
        (var("limit"), "10"),
        (var("unknown"), None),
        ({"type": "phase", "phase": "p", "value": "status"}, "error"),
        ({"type": "phase", "phase": "later", "value": "status"}, None),
        ({"type": "phase", "phase": "p", "value": "phaseId"}, "p"),
        (of("t1", "job.duration"), 61),
        (of("t1", "job.result.output.tables[*].id"), ["a", "b"]),
        (of("t1", "sum(job.result.output.tables[].metrics[].value)"), 7),
        (of("later", "status"), None),
        (of("t1", "job.result.output.tables.1.id"), "b"),
        (of("t1", "job.result.output.tables.9.id"), None),
        (of("t1", "job.no-such.thing"), None),
        ({"type": "array", "operands": [const(1), var("limit")]}, [1, "10"]),
        (call("COUNT", of("t1", "job.result.output.tables")), 2),
        (call("COUNT", const("not a list")), 0),
        (call("DATE", const("D Y-m-d H:i")), "Mon 2026-03-02 05:00"),
        (call("DATE", const("N")), "1"),
    ],
)
def test_a_node_has_a_value(raw: dict[str, Any], value: Any) -> None:
    assert evaluate(read_node(raw, "here"), FACTS) == value


@pytest.mark.parametrize(
    ("raw", "met"),
    [
        (op("EQUALS", var("limit"), const(10)), True),
        (op("EQUALS", var("limit"), const(10.5)), False),
        (op("EQUALS", var("on"), const(True)), True),
        (op("EQUALS", const("1"), const("1.0")), False),
        (op("EQUALS", of("t2", "status"), const("error")), True),
        (op("EQUALS", of("t2", "status"), const("user_error")), True),
        (op("EQUALS", of("t2", "status"), const("application_error")), False),
        (op("EQUALS", of("t1", "status"), const("error")), False),
        (op("EQUALS", of("t1", "status"), of("t3", "status")), True),
        (op("NOT_EQUALS", of("t1", "status"), const("error")), True),
        (op("GREATER_THAN", var("limit"), const(9)), True),
        (op("GREATER_THAN", of("t1", "job.duration"), const(61)), False),
        (op("GREATER_THAN", var("unknown"), const(1)), False),
        (op("LESS_THAN", var("unknown"), const(1)), False),
        (op("LESS_THAN", const("2026-01-01"), call("DATE", const("Y-m-d"))), True),
        (op("CONTAINS", of("t2", "job.result.message"), const("Timeout")), True),
        (op("CONTAINS", const("abc"), const("x")), False),
        (op("INCLUDES", const(["a", "b"]), const("b")), True),
        (op("INCLUDES", of("t2", "status"), const(["terminated", "user_error"])), True),
        (op("INCLUDES", const([]), const("b")), False),
        (op("AND", const(True), const(False)), False),
        (op("AND", const("yes")), True),
        (op("OR", const(""), const("false"), const(0)), False),
        (op("OR", const(False), op("AND", const(1))), True),
        (op("ALL_TASKS_IN_PHASE", EACH_FINE, phase="p"), False),
        (op("ALL_TASKS_IN_PHASE", EACH_FINE, phase="q"), True),
        (op("ALL_TASKS_IN_PHASE", EACH_FINE, phase="later"), False),
        (op("ANY_TASKS_IN_PHASE", EACH_BAD, phase="p"), True),
        (op("ANY_TASKS_IN_PHASE", EACH_BAD, phase="q"), False),
        (op("ANY_TASKS_IN_ANY_PHASE", EACH_BAD), True),
        (op("CONTINUE_ON_FAILURE", phase="p", tasks=["t2", "gone"]), True),
        (op("CONTINUE_ON_FAILURE", phase="p", tasks=[]), False),
        (op("CONTINUE_ON_FAILURE", phase="q"), True),
    ],
)
def test_a_condition_is_met_or_not(raw: dict[str, Any], met: bool) -> None:
    assert is_met(read_node(raw, "here"), FACTS) is met


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (7, "here: This must be an object, and not a whole number."),
        ({}, "here: The field `type` is missing."),
        ({"type": "magic"}, 'here: There is no type "magic"'),
        (op("XOR", const(1)), 'here: There is no operator "XOR"'),
        (op("EQUALS", const(1)), "here: EQUALS takes 2 operands, not 1."),
        (op("AND"), "here: AND takes at least one operand."),
        (op("OR", op("LESS_THAN", const(1))), "here.operands[0]: LESS_THAN takes 2 operands, not 1."),
        (op("ALL_TASKS_IN_PHASE", EACH_FINE), "here: ALL_TASKS_IN_PHASE needs the id of a phase."),
        (op("ANY_TASKS_IN_PHASE", const(1), phase="p"), "takes an operator about the task *."),
        (op("ANY_TASKS_IN_ANY_PHASE", EACH_BAD, EACH_BAD), "takes 1 operand, not 2."),
        (op("CONTINUE_ON_FAILURE", const(1), phase="p"), "takes 0 operands, not 1."),
        (call("NOW", const(1)), 'here: There is no function "NOW"'),
        (call("COUNT"), "here: COUNT takes 1 operand, not 0."),
        (of("*", "status"), "The task * has a meaning only inside"),
        (of("t", ""), "here: A task needs its id as task, and a path as value."),
        (of("t", "job.["), 'here: "job.[" is not a path (JMESPath).'),
        (of("t", "x" * 3000), "is not a path (JMESPath)."),
        ({"type": "variable"}, "here: A variable needs its name as value."),
        ({"type": "phase", "phase": "p", "value": "name"}, "here: A phase needs its id"),
    ],
)
def test_what_is_wrong_with_a_condition_is_said_by_its_place(raw: Any, problem: str) -> None:
    with pytest.raises(WrongFlow) as said:
        read_node(raw, "here")

    assert problem in said.value.message


def test_a_path_that_cannot_be_followed_is_the_users_error() -> None:
    with pytest.raises(WrongFlow, match="cannot be followed here"):
        evaluate(read_node(of("t1", "sum(taskId)"), "here"), FACTS)


@pytest.mark.parametrize("levels", [DEPTH + 1, 500, 5000])
def test_a_condition_is_not_nested_without_end(levels: int) -> None:
    raw = const(1)
    for _ in range(levels):
        raw = op("AND", raw)

    with pytest.raises(WrongFlow, match="nested"):
        read_node(raw, "here")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["p", "q", "t1", "t2", "*", "limit", "status", "job.result", "phaseId", "job.x[", "", "Y-m-d"])
NODES = st.recursive(
    VALUES
    | st.fixed_dictionaries(
        {"type": st.sampled_from(TYPES)},
        optional={"value": VALUES | NAMES, "task": NAMES, "phase": NAMES, "tasks": st.lists(NAMES, max_size=2)},
    ),
    lambda inner: st.fixed_dictionaries(
        {"type": st.sampled_from(["operator", "function", "array"]), "operands": st.lists(inner, max_size=3)},
        optional={
            "operator": st.sampled_from(OPERATORS),
            "function": st.sampled_from(["COUNT", "DATE", "X"]),
            "phase": NAMES,
            "tasks": st.lists(NAMES, max_size=2),
        },
    ),
    max_leaves=12,
)


@given(NODES)
def test_no_condition_whatever_it_holds_breaks_the_flow(raw: Any) -> None:
    with suppress(WrongFlow):
        assert is_met(read_node(raw, "here"), FACTS) in (True, False)
