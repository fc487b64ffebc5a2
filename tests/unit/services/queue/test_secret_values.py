"""Values of variables whose names start with `#`: encrypted where they are kept, and told to nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.secrets import PREFIX
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.flows.world import World
from tests.unit.services.queue.own_components import add_component, claim, execute, messages

OWN, CANARY = "own.test", "canary-value-1234"
SHOW = """
print("told", config["parameters"]["plain"], len(config["parameters"]["#hidden"]))
"""
DOCUMENT = {"variables_id": "v", "parameters": {"plain": "{{ #key }} {{ open }}", "#hidden": "{{ #key }}"}}
VALUES = {"values": [{"name": "#key", "value": CANARY}, {"name": "open", "value": "seen"}]}


@pytest.fixture
def services(services: ServicesOnly, tmp_path: Path) -> ServicesOnly:
    add_component(services, tmp_path, OWN, SHOW)
    names = {"variables": [{"name": "#key", "type": "string"}, {"name": "open", "type": "string"}]}
    save(services, "keboola.variables", "v", names)
    save(services, OWN, "c", DOCUMENT)
    return services


def save(services: ServicesOnly, component_id: str, config_id: str, document: Any) -> dict[str, Any]:
    wish = {"name": config_id, "configurationId": config_id, "configuration": document}
    response = services.service("storage").post(f"/v2/storage/components/{component_id}/configs", wish)
    assert response.status == 201, response.text
    return response.json["configuration"]


def post(services: ServicesOnly, component_id: str = OWN, **wish: Any) -> dict[str, Any]:
    response = services.service("queue").post("/jobs", {"component": component_id, **wish})
    assert response.status == 201, response.text
    return response.json


def check_run(services: ServicesOnly) -> dict[str, Any]:
    job = execute(services, claim(services))

    assert job["status"] == "success", job["result"]
    assert f"told [hidden] seen {len(CANARY)}" in messages(services, job)
    shown = {each["name"]: each["value"] for each in job["result"]["variables"]}
    assert shown == {"#key": "[hidden]", "open": "seen"}
    assert CANARY not in json.dumps(job)
    return job


def test_the_values_of_a_job_are_encrypted_and_open_when_it_runs(services: ServicesOnly) -> None:
    made = post(services, config="c", variableValuesData=VALUES)
    secret, plain = made["variableValuesData"]["values"]

    assert (secret["name"], plain) == ("#key", {"name": "open", "value": "seen"})
    assert secret["value"].startswith(PREFIX)
    check_run(services)
    post(services, config="c", variableValuesData=made["variableValuesData"])
    check_run(services)


def test_a_cipher_of_a_configuration_does_not_open_as_a_value(services: ServicesOnly) -> None:
    cipher = save(services, OWN, "other", {"parameters": {"#a": CANARY}})["parameters"]["#a"]
    values = {"values": [{"name": "#key", "value": cipher}, {"name": "open", "value": "seen"}]}
    post(services, config="c", variableValuesData=values)
    job = execute(services, claim(services))

    assert job["status"] == "error"
    assert "`variableValuesData.values.0.value` cannot be decrypted here" in job["result"]["message"]


def test_a_stored_set_of_values_is_encrypted_and_opens_when_a_job_runs(services: ServicesOnly) -> None:
    row = {"rowId": "r", "name": "r", "configuration": VALUES}
    response = services.service("storage").post("/v2/storage/components/keboola.variables/configs/v/rows", row)

    assert response.json["configuration"]["values"][0]["value"].startswith(PREFIX)
    post(services, config="c", variableValuesId="r")
    check_run(services)


@pytest.mark.parametrize("place", ["the flow's job", "the task"])
def test_a_flow_hands_values_on_sealed_for_each_component(services: ServicesOnly, place: str) -> None:
    task: dict[str, Any] = {"type": "job", "componentId": OWN, "configId": "c", "mode": "run"}
    if place == "the task":
        task["variableValuesData"] = VALUES
    flow = {"phases": [{"id": "1", "name": "1"}], "tasks": [{"id": "1", "name": "1", "phase": "1", "task": task}]}
    stored = save(services, "keboola.flow", "f", flow)
    given = {"variableValuesData": VALUES} if place != "the task" else {}
    post(services, "keboola.flow", config="f", **given)
    world = World(services)
    child = world.claim()

    assert CANARY not in json.dumps(stored)
    assert child
    assert CANARY not in json.dumps(child.variable_values_data)
    job = execute(services, child)
    assert f"told [hidden] seen {len(CANARY)}" in messages(services, job)
