"""The documentation of components, as agents read it before they write a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from penstock.components.catalogue import CATALOGUE
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component

OBJECT, LIST, TEXT, NONE = dict, list, str, type(None)
KEYS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("componentId", "componentType", "componentName", "description", "longDescription"), (TEXT,)),
    **dict.fromkeys(("documentationUrl", "documentation", "configurationDescription"), (TEXT, NONE)),
    **dict.fromkeys(("configurationSchema", "configurationRowSchema"), (OBJECT, NONE)),
    **dict.fromkeys(("componentCategories", "componentFlags", "synchronousActions"), (LIST,)),
    **dict.fromkeys(("rootConfigurationExamples", "rowConfigurationExamples"), (LIST,)),
}
"""What the contract and its strictest client want: a list is never null, a schema never a list."""


def read(services: ServicesOnly, component_id: str) -> dict[str, Any]:
    response = services.service("ai").get(f"/docs/components/{component_id}")
    assert response.status == 200, response.text
    return response.json


@pytest.mark.parametrize("component_id", [component.id for component in CATALOGUE])
def test_every_component_has_all_keys_in_their_types(shared: ServicesOnly, component_id: str) -> None:
    found = read(shared, component_id)

    assert found.keys() == KEYS.keys()
    assert [key for key, kinds in KEYS.items() if type(found[key]) not in kinds] == []
    assert found["componentId"] == component_id


def test_a_component_comes_with_its_schema_its_examples_and_its_documentation(shared: ServicesOnly) -> None:
    found = read(shared, "ex-generic-v2")

    assert found["componentName"] == "Generic"
    assert found["configurationSchema"] == {}, "official programs refuse what does not match a stricter one"
    assert len(found["rootConfigurationExamples"]) == 5
    assert found["documentation"].startswith("# Generic\n")
    assert read(shared, "keboola.ex-generic-v2") == found, "by an alias"


def test_the_schema_of_a_flow_is_one_of_draft_7_and_its_example_is_valid(shared: ServicesOnly) -> None:
    found = read(shared, "keboola.flow")

    assert found["configurationSchema"]["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(found["configurationSchema"])
    Draft7Validator(found["configurationSchema"]).validate(found["rootConfigurationExamples"][0])


def test_an_added_component_is_documented_from_its_manifest(shared: ServicesOnly, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"#key": {"type": "string", "description": "The key of the API."}}}
    add_component(shared, tmp_path, "me.ex-birds", "", name="Birds", configuration_schema=schema)
    found = read(shared, "me.ex-birds")

    assert (found["componentName"], found["configurationSchema"]) == ("Birds", schema)
    assert "| `#key` |  | The key of the API. |" in found["documentation"]


def test_an_unknown_component_is_not_found(shared: ServicesOnly) -> None:
    refused = shared.service("ai").get("/docs/components/nobody.nothing")

    assert refused.status == 404
    assert refused.json["code"] == 404
    assert refused.json["error"].startswith('There is no component "nobody.nothing".')
