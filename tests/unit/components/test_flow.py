"""The components whose jobs are made of other jobs."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft7Validator

from penstock.components.catalogue import find_component
from penstock.components.component import Runs
from penstock.components.flow import hosts_of

JOB = {"type": "job", "componentId": "c", "configId": "1", "mode": "run"}
NODE = {"type": "operator", "operator": "EQUALS", "operands": [{"type": "const", "value": 1}] * 2}
STEPS = [{"id": "n", "goto": "p", "condition": NODE}, {"id": "e", "goto": None}]


def flow(**task: Any) -> dict[str, Any]:
    outer = {"id": "t", "name": "t", "phase": "p", "task": task}
    return {"phases": [{"id": "p", "name": "P", "next": STEPS}], "tasks": [outer]}


def is_valid(component_id: str, document: Any) -> bool:
    component = find_component(component_id)
    assert component
    Draft7Validator.check_schema(component.configuration_schema)
    return Draft7Validator(component.configuration_schema).is_valid(document)


@pytest.mark.parametrize(
    ("document", "valid"),
    [
        (flow(**JOB), True),
        (flow(**JOB, retry={"strategy": "linear", "strategyParams": {"maxRetries": 3, "delay": 10}}), True),
        (flow(type="variable", name="x", source=NODE), True),
        (flow(type="notification", title="x", recipients=[{"channel": "email", "address": "a@b.c"}]), True),
        (flow(type="notification", title="x", recipients=[]), False),
        (flow(type="job", componentId="c"), False),
        (flow(**JOB, retry={"strategy": "odd"}), False),
        ({"phases": []}, False),
        ({"phases": [], "tasks": []}, True),
    ],
)
def test_the_schema_of_flows_distinguishes_valid_from_invalid(document: Any, valid: bool) -> None:
    assert is_valid("keboola.flow", document) is valid


def test_the_schema_of_orchestrations_distinguishes_valid_from_invalid() -> None:
    phase = {"id": 1, "name": "x", "dependsOn": [2], "behavior": {"onError": "stop"}}
    task = {"id": 1, "name": "t", "phase": 1, "task": {"componentId": "c", "configId": "1", "mode": "run"}}

    assert is_valid("keboola.orchestrator", {"phases": [phase], "tasks": [task]})
    assert not is_valid("keboola.orchestrator", {"phases": [{"id": 1}], "tasks": []})


def test_flows_have_no_program() -> None:
    found = [find_component(name) for name in ("keboola.flow", "keboola.orchestrator")]

    assert [one.runs for one in found if one] == [Runs.FLOW, Runs.ORCHESTRATION]


def test_secrets_are_meant_for_the_components_and_hosts_of_tasks() -> None:
    data = {"parameters": {"api": {"baseUrl": "https://api.example.com/"}}}
    near, far = (flow(componentId=name, configData=data) for name in ("ex-generic-v2", "other"))

    assert "api.example.com" in hosts_of(near)
    assert hosts_of(far) == "other"
    assert hosts_of(flow(**JOB)) == ""


@pytest.mark.parametrize("document", [{}, {"tasks": 7}, {"tasks": [7, {"task": 7}, {"task": {"configData": 7}}]}])
def test_documents_that_are_no_flows_have_no_hosts(document: dict[str, Any]) -> None:
    assert hosts_of(document) == ""
