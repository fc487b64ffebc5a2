"""The components that ship with the platform."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator

from penstock.components.catalogue import CATALOGUE, find_component
from penstock.components.component import Component, Runs
from penstock.extractor.requests.journal.folder import NAME


@pytest.mark.parametrize("name", ["ex-generic-v2", "keboola.ex-generic-v2"])
def test_the_extractor_is_found_by_its_id_and_its_alias(name: str) -> None:
    component = find_component(name)

    assert component
    assert (component.id, component.name, component.type) == ("ex-generic-v2", "Generic", "extractor")


@pytest.mark.parametrize("name", ["", "EX-GENERIC-V2", "ex-generic-v2 ", "keboola.nothing", "../ex-generic-v2"])
def test_anything_else_is_not_there(name: str) -> None:
    assert find_component(name) is None


def test_ids_and_aliases_are_used_once() -> None:
    names = [name for component in CATALOGUE for name in (component.id, *component.aliases)]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("component", [c for c in CATALOGUE if c.runs is Runs.PROGRAM], ids=lambda c: c.id)
def test_every_program_can_be_started(component: Component) -> None:
    package = importlib.import_module(component.module)

    assert importlib.util.find_spec(f"{package.__name__}.__main__")
    assert component.timeout_seconds > 0


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_every_schema_is_one_and_fits_the_empty_configuration(component: Component) -> None:
    for schema in (component.configuration_schema, component.full_schema, component.configuration_row_schema):
        Draft202012Validator.check_schema(schema)
    empty = component.empty_configuration
    # The schema of a flow is that of all of it, of any other component that of its parameters.
    described = empty.get("parameters", {}) if component.runs is Runs.PROGRAM else empty

    if empty:
        Draft202012Validator(component.full_schema).validate(described)


EXPECTED_BY_CLIENTS = {
    *("keboola.runner-config-test", "ex-generic-v2", "keboola.mcp-server-tool", "keboola.snowflake-transformation"),
    *("keboola.python-transformation-v2", "keboola.flow", "keboola.orchestrator", "keboola.scheduler"),
    *("keboola.variables", "keboola.shared-code", "keboola.sandboxes", "keboola.data-apps"),
    *("keboola.app-data-gateway", "keboola.ex-aws-s3", "keboola.keboola-as-code"),
    *("keboola.ex-db-mysql", "keboola.wr-db-mysql", "keboola.ex-azure-cost-management", "transformation"),
    *("kds-team.app-custom-python", "kds-team.app-orchestration-trigger-queue-v2"),
}


MAX_DESCRIPTION = 60
"""Characters: `kbc template create` refuses longer ones."""


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_official_programs_accept_every_component(component: Component) -> None:
    """Their validator takes a number after an equal-looking text in an `enum` for a repetition."""
    assert len(component.description) <= MAX_DESCRIPTION
    for schema in (component.full_schema, component.configuration_row_schema):
        for part in walk(schema):
            texts = [not isinstance(value, int | float) or isinstance(value, bool) for value in part.get("enum", [])]
            assert texts == sorted(texts), part
    for schema in (component.configuration_schema, component.configuration_row_schema):
        assert [part for part in walk(schema) if "array" in part.get("type", []) and "items" not in part] == []


def walk(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield cast(dict[str, Any], node)
    for value in cast(dict[str, Any], node).values() if isinstance(node, dict) else node:
        if isinstance(value, dict | list):
            yield from walk(value)


def test_every_component_that_clients_expect_is_there() -> None:
    assert {c.id for c in CATALOGUE} >= EXPECTED_BY_CLIENTS


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_a_component_runs_or_gives_the_reason_why_not(component: Component) -> None:
    assert component.is_runnable == (not component.why_not_runnable)
    assert component.is_runnable or component.why_not_runnable.endswith(".")


@pytest.mark.parametrize("component", CATALOGUE, ids=lambda c: c.id)
def test_a_new_configuration_begins_with_parameters_or_with_nothing(component: Component) -> None:
    for empty in (component.empty_configuration, component.empty_configuration_row):
        assert not empty or "parameters" in empty  # clients put what has no `parameters` below that key


def test_an_interrupted_extraction_is_found_where_the_extractor_keeps_it() -> None:
    component = find_component("ex-generic-v2")

    assert component
    assert component.work == f"out/{NAME}"
