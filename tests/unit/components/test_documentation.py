"""The documentation of components: schemas, meanings, examples and flags."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft7Validator

from penstock.components.catalogue import CATALOGUE, find_component
from penstock.components.component import Component, Runs
from penstock.components.documentation import documented

FLAGS = {
    *("genericDockerUI", "genericDockerUI-tableInput", "genericDockerUI-tableOutput", "genericDockerUI-fileInput"),
    *("genericDockerUI-fileOutput", "genericDockerUI-rows", "genericCodeBlocksUI", "excludeFromNewList"),
}
RUNNABLE = [component for component in CATALOGUE if component.is_runnable]


def described(component: Component, configuration: dict[str, Any]) -> Any:
    """What the schema is about: the parameters of a program, or the whole configuration."""
    return configuration["parameters"] if component.runs is Runs.PROGRAM else configuration


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_every_setting_has_a_meaning(component: Component) -> None:
    rows = [line for line in component.documentation.splitlines() if line.startswith("| `")]

    assert component.documentation.startswith(f"# {component.name}\n\n{component.description}")
    assert [row for row in rows if row.endswith("|  |")] == []
    assert bool(rows) == bool(component.full_schema or component.configuration_row_schema)


@pytest.mark.parametrize("component", RUNNABLE, ids=lambda c: c.id)
def test_what_runs_has_a_schema_a_description_and_examples_that_fit(component: Component) -> None:
    validator = Draft7Validator(component.full_schema)

    assert component.full_schema
    assert component.configuration_description
    assert component.configuration_examples
    for example in component.configuration_examples:
        assert [error.message for error in validator.iter_errors(described(component, example))] == []


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_flags_are_those_that_clients_know(component: Component) -> None:
    assert component.flags
    assert set(component.flags) <= FLAGS
    assert component.is_runnable or "excludeFromNewList" in component.flags


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_rows_have_examples_that_fit(component: Component) -> None:
    validator = Draft7Validator(component.configuration_row_schema)

    assert bool(component.configuration_row_examples) == bool(component.configuration_row_schema)
    assert all(validator.is_valid(example) for example in component.configuration_row_examples)
    assert ("genericDockerUI-rows" in component.flags) <= bool(component.configuration_row_schema)


def test_the_extractor_has_five_examples_and_all_its_settings() -> None:
    extractor = find_component("ex-generic-v2")
    assert extractor

    assert len(extractor.configuration_examples) >= 5
    assert "| `api.baseUrl` | required |" in extractor.documentation
    assert "| `api.pagination.limit` | required | With `method` offset: The page size. |" in extractor.documentation
    assert "| `config.jobs[].endpoint` | required |" in extractor.documentation
    assert '"method": "offset"' in extractor.documentation


@pytest.mark.parametrize(
    ("component_id", "parameters"),
    [
        ("kds-team.wr-generic", {}),
        ("kds-team.wr-generic", {"api": {"base_url": "https://h"}, "request_content": {"content_type": "XML"}}),
        ("keboola.snowflake-transformation", {"blocks": [{"codes": []}]}),
        ("keboola.python-transformation-v2", {"packages": "pandas"}),
        ("keboola.runner-config-test", {"operation": "fly"}),
    ],
)
def test_wrong_parameters_do_not_fit(component_id: str, parameters: dict[str, Any]) -> None:
    component = find_component(component_id)
    assert component

    assert not Draft7Validator(component.full_schema).is_valid(parameters)


def test_documentation_is_made_from_what_the_component_has() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {
                "description": "One | two.",
                "type": "object",
                "properties": {"b": {"enum": ["x", "y"], "default": "x"}},
            },
            "c": {"$ref": "#/definitions/c"},
        },
        "definitions": {
            "c": {"type": "array", "items": {"type": "object", "properties": {"d": {"description": "Deep."}}}}
        },
    }
    component = Component(
        id="me.x",
        name="X",
        type="other",
        configuration_schema=schema,
        configuration_examples=({"parameters": {"a": {}}},),
    )

    text = documented(component).documentation

    assert "| `a` | required | One / two. |" in text
    assert "| `a.b` | `x` | One of `x`, `y`. |" in text
    assert '```json\n{\n  "parameters": {\n    "a": {}\n  }\n}\n```' in text
