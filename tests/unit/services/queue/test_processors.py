"""Processors: who may use which, what they see, and which secrets open beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.flows.world import World
from tests.unit.services.queue.own_components import add_component, claim, execute, messages, run

pytestmark = pytest.mark.parametrize("services_on_each", ["sqlite"], indirect=True)

MAIN, BEFORE, AFTER, SECRET = "own.main", "own.before", "own.after", "canary-secret-1"
LOOK = """
print(os.environ["KBC_COMPONENTID"], "has", sorted(config["parameters"]), end=" ")
print("and sees", sorted(str(each) for each in Path(".").rglob("*.json")))
for file in Path("in/tables").iterdir():
    (out / "tables" / file.name).write_bytes(file.read_bytes())
"""
PYTHON = "keboola.python-transformation-v2"

Document = dict[str, Any]


@pytest.fixture
def services(services: ServicesOnly, tmp_path: Path) -> ServicesOnly:
    add_component(services, tmp_path, MAIN, LOOK)
    for component_id in (BEFORE, AFTER):
        add_component(services, tmp_path, component_id, LOOK, type="processor")
    return services


def processor(component_id: str, **parameters: Any) -> Document:
    return {"definition": {"component": component_id}, "parameters": parameters}


def with_processors(*before: Document, after: tuple[Document, ...] = (), **parameters: Any) -> Document:
    return {"parameters": parameters, "processors": {"before": list(before), "after": list(after)}}


def token_for(services: ServicesOnly, *components: str) -> Document:
    made = services.service("storage").post("/v2/storage/tokens", {"componentAccess": list(components)})
    assert made.status == 201, made.text
    return made.json


def post(services: ServicesOnly, document: Document, *components: str) -> Response:
    queue = services.service("queue", token_for(services, *components)["token"])
    return queue.post("/jobs", {"component": MAIN, "configData": document})


def store(services: ServicesOnly, document: Document) -> Document:
    """What is kept of a configuration of the component, as the API returns it."""
    wish = {"name": "x", "configurationId": "x", "configuration": document}
    made = services.service("storage").post(f"/v2/storage/components/{MAIN}/configs", wish)
    assert made.status == 201, made.text
    return made.json["configuration"]


def change(services: ServicesOnly, document: Document) -> None:
    path = f"/v2/storage/components/{MAIN}/configs/x"
    assert services.service("storage").put(path, {"configuration": document}).status == 200


def test_each_program_sees_its_own_parameters_and_the_state_is_the_components(services: ServicesOnly) -> None:
    document = with_processors(processor(BEFORE, **{"#b": SECRET}), after=(processor(AFTER, c=1),), **{"#a": SECRET})
    store(services, document)
    path = f"/v2/storage/components/{MAIN}/configs/x/state"
    assert services.service("storage").put(path, {"state": {"component": {"#seen": SECRET}}}).status == 200
    job = run(services, MAIN, config="x")
    told = [line for line in messages(services, job) if " has " in line]

    assert job["status"] == "success", job["result"]
    assert told == [
        f"{BEFORE} has ['#b'] and sees ['config.json']",
        f"{MAIN} has ['#a'] and sees ['config.json', 'in/state.json']",
        f"{AFTER} has ['c'] and sees ['config.json']",
    ]


def test_a_token_needs_access_to_the_processors_of_its_jobs(services: ServicesOnly) -> None:
    document = with_processors(processor(BEFORE))
    refused, accepted = post(services, document, MAIN), post(services, document, MAIN, BEFORE)

    assert (refused.status, accepted.status) == (403, 201)
    assert f'may not use the processor "{BEFORE}"' in refused.json["error"]


def test_the_processors_of_a_stored_configuration_and_of_its_rows_need_access_too(services: ServicesOnly) -> None:
    store(services, {})
    row = {"rowId": "r", "name": "r", "configuration": with_processors(processor(AFTER))}
    assert services.service("storage").post(f"/v2/storage/components/{MAIN}/configs/x/rows", row).status == 201
    queue = services.service("queue", token_for(services, MAIN)["token"])

    assert queue.post("/jobs", {"component": MAIN, "config": "x"}).status == 403
    change(services, with_processors(processor(BEFORE)))
    assert queue.post("/jobs", {"component": MAIN, "config": "x", "configRowIds": ["r"]}).status == 403


@pytest.mark.parametrize("component_id", [PYTHON, MAIN, "ex-generic-v2", "keboola.flow", "no.such"])
def test_only_a_component_of_type_processor_is_one(services: ServicesOnly, component_id: str) -> None:
    response = services.service("queue").post(
        "/jobs", {"component": MAIN, "configData": with_processors(processor(component_id))}
    )

    assert response.status == 400
    assert f'"{component_id}" is' in response.json["error"]


def test_access_is_looked_at_again_when_the_job_runs(services: ServicesOnly) -> None:
    token = token_for(services, MAIN, BEFORE)
    queue = services.service("queue", token["token"])
    assert queue.post("/jobs", {"component": MAIN, "configData": with_processors(processor(BEFORE))}).status == 201
    path = f"/v2/storage/tokens/{token['id']}"
    assert services.service("storage").put(path, {"componentAccess": [MAIN]}).status == 200
    job = execute(services, claim(services))

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert f'may not use the processor "{BEFORE}"' in job["result"]["message"]
    assert not any(" has " in line for line in messages(services, job))


@pytest.mark.parametrize(("value", "said"), [(PYTHON, "of type"), (BEFORE, "may not use")])
def test_a_processor_that_a_variable_names_is_checked_when_the_job_runs(
    services: ServicesOnly, value: str, said: str
) -> None:
    storage = services.service("storage")
    names = {"variables": [{"name": "which", "type": "string"}]}
    wish = {"name": "v", "configurationId": "v", "configuration": names}
    assert storage.post("/v2/storage/components/keboola.variables/configs", wish).status == 201
    document = {**with_processors(processor("{{ which }}")), "variables_id": "v"}
    queue = services.service("queue", token_for(services, MAIN, "keboola.variables")["token"])
    values = {"values": [{"name": "which", "value": value}]}
    response = queue.post("/jobs", {"component": MAIN, "configData": document, "variableValuesData": values})
    assert response.status == 201, response.text
    job = execute(services, claim(services))

    assert job["status"] == "error"
    assert said in job["result"]["message"]


def test_a_copied_cipher_does_not_open_in_a_processor(services: ServicesOnly) -> None:
    kept = store(services, {"parameters": {"#a": SECRET}})
    cipher = kept["parameters"]["#a"]
    job = run(services, MAIN, configData=with_processors(processor(BEFORE, **{"#a": cipher})))

    assert job["status"] == "error"
    assert "`processors.before.0.parameters.#a` cannot be decrypted here" in job["result"]["message"]


def test_a_processor_that_is_added_does_not_get_the_secrets_that_were_there(services: ServicesOnly) -> None:
    kept = store(services, {"parameters": {"#a": SECRET}})
    assert run(services, MAIN, config="x")["status"] == "success"
    change(services, {**kept, "processors": {"after": [processor(AFTER)]}})
    job = run(services, MAIN, config="x")

    assert job["status"] == "error"
    assert "`parameters.#a` cannot be decrypted here" in job["result"]["message"]
    assert not any(" has " in line for line in messages(services, job))
    change(services, {"parameters": {"#a": SECRET}, "processors": {"after": [processor(AFTER)]}})
    assert run(services, MAIN, config="x")["status"] == "success"


def test_a_task_of_a_flow_names_processors_that_its_token_may_use(services: ServicesOnly) -> None:
    task = {"componentId": MAIN, "configData": with_processors(processor(BEFORE)), "mode": "run"}
    flow = {"phases": [{"id": 1, "name": "1"}], "tasks": [{"id": 1, "name": "1", "phase": 1, "task": task}]}
    token = token_for(services, MAIN, "keboola.orchestrator")
    queue = services.service("queue", token["token"])
    job_id = queue.post("/jobs", {"component": "keboola.orchestrator", "configData": flow}).json["id"]
    world = World(services)
    world.work()

    assert world.show(int(job_id))["status"] == "error"
    assert world.ran == []
