"""Every place of a job that can name a component, with every component that ships, asked for by a narrow token.

The places are a file: one that is added is tried with all components, and a component that is added in all places.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.components.catalogue import CATALOGUE
from penstock.components.component import Runs
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import on_one_database
from tests.unit.services.queue.flows.world import World
from tests.unit.services.queue.own_components import claim, execute

PLACES = json.loads((Path(__file__).parents[3] / "data" / "component_places.json").read_text())
OF_PROCESSORS = [place for place in PLACES if "processors" in place["place"]]


def fill(node: Any, **values: str) -> Any:
    text = json.dumps(node)
    for name, value in values.items():
        text = text.replace(f"${name}", value)
    return json.loads(text)


def save(services: ServicesOnly, place: dict[str, Any], component_id: str) -> str:
    """The stored configuration of a place, made by somebody who may do everything; its id."""
    path, storage = "/v2/storage/components/ex-generic-v2/configs", services.service("storage")
    wish = {"name": "x", "configuration": fill(place["stored"], component=component_id)}
    config_id = storage.post(path, wish).json["id"]
    if "row" in place:
        row = {"name": "r", "configuration": fill(place["row"], component=component_id)}
        assert storage.post(f"{path}/{config_id}/rows", row).status == 201
    return config_id


def try_all(services: ServicesOnly, place: dict[str, Any], names: list[str]) -> dict[str, str]:
    """What ran all the same, by the component that the place named."""
    wish = {"componentAccess": place["may_use"]}
    queue = services.service("queue", services.service("storage").post("/v2/storage/tokens", wish).json["token"])
    found = {name: try_place(services, queue, place, name) for name in names}
    return {name: said for name, said in found.items() if said not in ("refused", "error")}


def try_place(services: ServicesOnly, queue: Http, place: dict[str, Any], component_id: str) -> str:
    """What became of it: `refused`, `error`, or what was run."""
    config_id = save(services, place, component_id) if "stored" in place else ""
    response = queue.post("/jobs", fill(place["body"], component=component_id, config=config_id))
    if response.status != 201:
        assert response.status in (400, 403), response.text
        return "refused"
    world = World(services)
    world.work()
    return f"ran {world.ran}" if world.ran else world.show(int(response.json["id"]))["status"]


@on_one_database
@pytest.mark.parametrize("place", PLACES, ids=[place["place"] for place in PLACES])
def test_no_component_runs_where_a_narrow_token_may_not_use_it(shared: ServicesOnly, place: dict[str, Any]) -> None:
    others = [each for each in CATALOGUE if each.id not in place["may_use"]]

    assert try_all(shared, place, [name for each in others for name in (each.id, *each.aliases)]) == {}


@on_one_database
@pytest.mark.parametrize("place", OF_PROCESSORS, ids=[place["place"] for place in OF_PROCESSORS])
def test_a_component_that_the_token_may_use_is_not_a_processor(shared: ServicesOnly, place: dict[str, Any]) -> None:
    assert try_all(shared, place, place["may_use"]) == {}


def test_every_place_that_a_schema_knows_is_in_the_file() -> None:
    """Components whose jobs are made of jobs say in their schemas where they name components."""
    containers = [each for each in CATALOGUE if each.runs in (Runs.FLOW, Runs.ORCHESTRATION)]
    tried = {place["body"]["component"] for place in PLACES if "componentId" in json.dumps(place["body"])}

    assert tried == {each.id for each in containers}
    assert all(json.dumps(each.configuration_schema).count('"componentId": {') == 1 for each in containers)


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ({"shared_code_id": "of-others", "shared_code_row_ids": ["r"]}, "You don't have access to the resource"),
        ({"variables_id": "of-others"}, "You don't have access to the resource"),
    ],
)
def test_shared_code_and_variables_need_access_to_their_component(
    shared: ServicesOnly, named: dict[str, Any], sentence: str
) -> None:
    storage = shared.service("storage")
    for component_id in ("keboola.shared-code", "keboola.variables"):
        wish = {"name": "x", "configurationId": "of-others", "configuration": {"variables": []}}
        storage.post(f"/v2/storage/components/{component_id}/configs", wish)
    token = storage.post("/v2/storage/tokens", {"componentAccess": ["ex-generic-v2"]}).json["token"]
    body = {"component": "ex-generic-v2", "configData": {"parameters": {}, **named}}
    assert shared.service("queue", token).post("/jobs", body).status == 201
    job = execute(shared, claim(shared))

    assert job["status"] == "error"
    assert sentence in job["result"]["message"]
