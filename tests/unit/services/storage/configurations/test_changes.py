"""Changes of a configuration: each creates a version, or is refused as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.configurations.making import CONFIGS, changed, created, put


def test_a_change_makes_a_new_version_and_leaves_the_rest(services: ServicesOnly) -> None:
    made = created(services, configurationId="mine", description="old", configuration={"a": 1}, state={"s": 1})
    after = changed(services, "mine", name="New", configuration={"b": []}, isDisabled="true")

    assert (after["version"], after["changeDescription"]) == (2, "Configuration updated")
    assert (after["name"], after["description"], after["isDisabled"]) == ("New", "old", True)
    assert (after["configuration"], after["state"]) == ({"b": []}, {"s": 1})
    assert after["currentVersion"]["versionIdentifier"] != made["currentVersion"]["versionIdentifier"]
    assert (after["created"], after["creatorToken"]) == (made["created"], made["creatorToken"])
    assert services.service("storage").get(f"{CONFIGS}/mine").json == after


@pytest.mark.parametrize(
    ("wish", "version"),
    [
        ({}, 1),
        ({"name": None, "configuration": None, "rowsSortOrder": None, "rowsSortOrder2": 5}, 1),
        ({"state": {"x": 1}}, 1),
        ({"branchId": 5, "componentId": "other", "rows": [{"id": "1"}]}, 1),
        ({"changeDescription": "nothing but words"}, 1),
        ({"changeDescription": "words", "state": {"x": 1}, "rows": [], "name": None}, 1),
        ({"name": "A configuration"}, 2),
        ({"name": "A configuration", "configuration": {"a": 1}, "description": "d"}, 2),
        ({"changeDescription": "words", "isDisabled": False}, 2),
        ({"rowsSortOrder": []}, 2),
        ({"description": ""}, 2),
        ({"configuration": []}, 2),
        ({"configuration": '{"a": 2}'}, 2),
        ({"isDisabled": 1}, 2),
    ],
)
def test_a_version_comes_of_any_field_that_versions_keep(
    shared: ServicesOnly, wish: dict[str, Any], version: int
) -> None:
    made = created(shared, configuration={"a": 1}, description="d")

    assert changed(shared, made["id"], **wish)["version"] == version


def test_a_change_description_alone_changes_nothing(shared: ServicesOnly) -> None:
    made = created(shared, configuration={"a": 1})
    path = f"{CONFIGS}/{made['id']}"
    before = shared.service("storage").get(path).json

    assert changed(shared, made["id"], changeDescription="Updated from #KeboolaCLI") == before
    assert shared.service("storage").get(path).json == before
    assert len(shared.service("storage").get(f"{path}/versions").json) == 1


def test_an_empty_list_empties_a_document(shared: ServicesOnly) -> None:
    made = created(shared, configuration={"a": 1}, state={"b": 1})
    after = changed(shared, made["id"], configuration=[], state=[])

    assert (after["configuration"], after["state"]) == ({}, {})


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"name": ""}, "storage.components.validation"),
        ({"configuration": "5"}, "validation.invalidConfigurationFormat"),
        ({"configuration": [1]}, "validation.invalidConfigurationFormat"),
        ({"state": 5}, "validation.invalidStateFormat"),
        ({"rowsSortOrder": ["1"]}, "storage.components.validation"),
        ({"rowsSortOrder": "1"}, "validation.failed"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_changes_nothing(
    shared: ServicesOnly, wish: dict[str, Any], code: str
) -> None:
    path = f"{CONFIGS}/{created(shared, configuration={'a': 1}, state={'b': 1})['id']}"
    before = shared.service("storage").get(path).json
    response = put(shared, path, {"description": "half", "state": {}, **wish})

    assert (response.status, response.json["code"]) == (400, code)
    assert shared.service("storage").get(path).json == before


def test_the_state_has_a_route_of_its_own(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    response = put(services, f"{CONFIGS}/mine/state", {"state": {"a": {}}})

    assert (response.status, response.json["state"], response.json["version"]) == (200, {"a": {}}, 1)
    assert put(services, f"{CONFIGS}/mine/state", {"state": []}).json["state"] == {}
    for wrong in ({}, {"state": "5"}, {"state": [1]}):
        refused = put(services, f"{CONFIGS}/mine/state", wrong)
        assert (refused.status, refused.json["code"]) == (400, "validation.invalidStateFormat")


def put_if(services: ServicesOnly, path: str, version: str, **wanted: Any) -> Response:
    client = services.service("storage")
    client.headers = {"If-Match": version}
    return client.put(path, wanted)


@pytest.mark.parametrize("version", ["1", '"1"', 'W/"1"'])
def test_a_change_of_an_older_version_is_refused_and_changes_nothing(shared: ServicesOnly, version: str) -> None:
    path = f"{CONFIGS}/{created(shared, configuration={'a': 1})['id']}"
    assert put_if(shared, path, version, configuration={"a": 2}).status == 200
    late = put_if(shared, path, version, configuration={"a": 3})

    assert (late.status, late.json["code"]) == (409, "storage.configuration.changed")
    assert "version 2 is by" in late.json["error"]
    assert shared.service("storage").get(path).json["configuration"] == {"a": 2}
    assert put_if(shared, path, "*", configuration={"a": 3}).json["version"] == 3


def test_a_row_has_versions_of_its_own(shared: ServicesOnly) -> None:
    path = f"{CONFIGS}/{created(shared)['id']}"
    row = shared.service("storage").post(f"{path}/rows", {"name": "r", "configuration": {"a": 1}}).json
    place = f"{path}/rows/{row['id']}"

    assert put_if(shared, place, f'"{row["version"]}"', configuration={"a": 2}).status == 200
    late = put_if(shared, place, f'"{row["version"]}"', configuration={"a": 3})
    assert (late.status, late.json["code"]) == (409, "storage.configurationRow.changed")
    assert shared.service("storage").get(place).json["configuration"] == {"a": 2}


@pytest.mark.parametrize("version", ["", "x", '"1", "2"', "-1", "9" * 40])
def test_what_is_not_a_version_is_refused(shared: ServicesOnly, version: str) -> None:
    path = f"{CONFIGS}/{created(shared)['id']}"
    refused = put_if(shared, path, version, name="Another")

    assert refused.status == 400
    assert "If-Match" in refused.json["error"]
