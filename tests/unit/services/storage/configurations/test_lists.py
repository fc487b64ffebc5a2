"""Components and their configurations in lists, and what tokens may see of them."""

from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.configurations.making import COMPONENT, CONFIGS, created


def test_a_component_is_shown_to_everybody(shared: ServicesOnly) -> None:
    component = shared.service("storage", token="").get(COMPONENT).json

    assert (component["id"], component["name"], component["type"]) == ("ex-generic-v2", "Generic", "extractor")
    assert component["uri"].endswith(COMPONENT)


def test_the_list_of_components_has_their_configurations(services: ServicesOnly) -> None:
    storage = services.service("storage")
    [component] = storage.get("/v2/storage/components").json
    full = storage.get("/v2/storage/components?include=configuration,rows,state").json[0]

    assert {config["id"] for config in component["configurations"]} == {"sample-customers", "sample-orders"}
    assert not component["configurations"][0].keys() & {"configuration", "rows", "state"}
    assert {"configuration", "rows", "state"} <= full["configurations"][0].keys()
    assert storage.get("/v2/storage/components?componentType=writer").json == []
    assert len(storage.get("/v2/storage/components?componentType=extractor").json) == 1


def test_a_project_sees_only_its_own_configurations(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    foreign = services.service("storage", add_project(services).token)

    assert foreign.get(CONFIGS).json == []
    assert foreign.get("/v2/storage/components").json == []
    seen, absent = foreign.get(f"{CONFIGS}/mine"), foreign.get(f"{CONFIGS}/none")
    assert seen.status == absent.status == 404
    assert seen.json["error"].replace("mine", "none") == absent.json["error"]
    assert foreign.post(CONFIGS, {"name": "theirs", "configurationId": "mine"}).status == 201
    assert services.service("storage").get(f"{CONFIGS}/mine").json["name"] == "A configuration"


@pytest.mark.parametrize(
    ("include", "on_configurations", "on_rows"),
    [
        ("", set[str](), None),
        ("configuration", {"configuration"}, None),
        ("rows", {"rows", "rowsSortOrder"}, set[str]()),
        ("rows,configuration", {"rows", "rowsSortOrder", "configuration"}, {"configuration"}),
        ("rows,state", {"rows", "rowsSortOrder", "state"}, {"state"}),
        ("nonsense", set[str](), None),
    ],
)
def test_lists_of_components_hold_what_was_asked_for(
    shared: ServicesOnly, include: str, on_configurations: set[str], on_rows: set[str] | None
) -> None:
    storage = shared.service("storage")
    storage.post(CONFIGS, {"name": "x", "configurationId": "listed", "configuration": {"a": 1}, "state": {"b": 1}})
    storage.post(f"{CONFIGS}/listed/rows", {"rowId": "r", "configuration": {"c": 1}, "state": {"d": 1}})
    [component] = storage.get(f"/v2/storage/components?include={include}").json
    [listed] = [config for config in component["configurations"] if config["id"] == "listed"]

    assert listed.keys() & {"configuration", "state", "rows", "rowsSortOrder"} == on_configurations
    if on_rows is not None:
        assert listed["rows"][0].keys() & {"configuration", "state"} == on_rows
    assert listed.get("configuration", {"a": 1}) == {"a": 1}


def test_tickets_are_numbers_that_grow(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    first, second = storage.post("/v2/storage/tickets"), storage.post("/v2/storage/tickets", {})

    assert first.status == second.status == 201
    assert second.json["id"] > first.json["id"]
    assert storage.post("/v2/storage/branch/default/tickets").status == 404


def test_a_token_needs_access_to_the_component(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    token = services.service("storage").post("/v2/storage/tokens", {"description": "nothing"}).json["token"]
    nobody = services.service("storage", token)

    assert nobody.get(f"{CONFIGS}/mine").status == 403
    assert nobody.post(CONFIGS, {"name": "x"}).status == 403
    assert nobody.delete(f"{CONFIGS}/mine").status == 403
    assert nobody.get(f"{CONFIGS}/mine/versions").status == 403
    assert nobody.post(f"{CONFIGS}/mine/rows", {}).status == 403
    assert nobody.get("/v2/storage/components").json == []
    assert nobody.get("/v2/storage/branch/default/search/component-configurations").json == []
