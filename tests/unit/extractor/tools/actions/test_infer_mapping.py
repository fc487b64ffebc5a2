from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.extraction import run_extraction
from tests.unit.extractor.tools.actions.asking import ask, complaint, selected


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/users", {"items": [{"id": 1, "at": {"zip": "x", "geo": {"lat": 0.5, "of": {"a": 1}}}, "tags": ["a"]}]})
        yield api


def test_a_mapping_is_inferred_from_the_records_of_a_job(api: Api):
    parameters = {**selected(f"{api.url}/", {"endpoint": "users"}), "__PRIMARY_KEY": ["id"]}

    assert ask("infer_mapping", parameters) == {
        "id": {"mapping": {"destination": "id", "primaryKey": True}},
        "at.zip": "at_zip",
        "at.geo.lat": "at_geo_lat",
        "at.geo.of": {"type": "column", "mapping": {"destination": "at_geo_of"}, "forceType": True},
        "tags": {"type": "column", "mapping": {"destination": "tags"}, "forceType": True},
    }


@pytest.mark.parametrize(("level", "columns"), [(0, ["id", "at", "tags"]), ("1", ["id", "at.zip", "at.geo", "tags"])])
def test_the_nesting_level_says_how_deep(api: Api, level: Any, columns: list[str]):
    parameters = {**selected(f"{api.url}/", {"endpoint": "users"}), "__NESTING_LEVEL": level}

    assert list(ask("infer_mapping", parameters)) == columns


def test_user_data_of_a_root_job_becomes_columns(api: Api):
    job = {"endpoint": "users", "userData": {"kind": "u"}}

    mapping = ask("infer_mapping", selected(f"{api.url}/", job, userData={"source": "api"}))

    assert mapping["source"] == {"type": "user", "mapping": {"destination": "source"}}
    assert mapping["kind"] == {"type": "user", "mapping": {"destination": "kind"}}


def child(placeholders: dict[str, Any]) -> dict[str, Any]:
    name = next(iter(placeholders))
    return {"endpoint": f"users/{{{name}}}", "dataType": "details", "placeholders": placeholders}


def test_what_leads_to_the_parent_is_part_of_a_childs_key(api: Api):
    api.on("/users/1", {"rows": [{"no": 1}]})
    job = {"endpoint": "users", "children": [child({"id": "id"})]}

    assert ask("infer_mapping", selected(f"{api.url}/", job, job="0_0", userData={"x": "not of children"})) == {
        "no": "no",
        "parent_id": {"type": "user", "mapping": {"destination": "parent_id", "primaryKey": True}},
    }


def test_a_run_fills_every_column_of_an_inferred_mapping(api: Api, tmp_path: Path):
    api.on("/users/x", {"rows": [{"no": 1}]})
    job = {"endpoint": "users", "children": [child({"1:zip-code": {"path": "at.zip"}})]}
    parameters = selected(f"{api.url}/", job, job="0_0")

    mapping = ask("infer_mapping", parameters)
    parameters["config"]["mappings"] = {"details": mapping}

    assert run_extraction(parameters, tmp_path / "out").rows("details") == [{"no": "1", "parent_1_zip_code": "x"}]


@pytest.mark.parametrize(
    ("response", "field", "message"),
    [
        (Response.json({"items": []}), "", "The request returned no data to infer mapping from."),
        (Response.json({"a": 1}), "b", "The request returned no data to infer mapping from. Path b not found"),
        (Response.json({}, 404), "", "The API request failed: [404] Client error: `GET "),
    ],
)
def test_without_records_there_is_nothing_to_infer_from(api: Api, response: Response, field: str, message: str):
    api.on("/x", response)

    assert complaint("infer_mapping", selected(f"{api.url}/", {"endpoint": "x", "dataField": field})).startswith(
        message
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"__NESTING_LEVEL": "deep"}, "__NESTING_LEVEL is 'deep'."),
        ({"__NESTING_LEVEL": -1}, "__NESTING_LEVEL is -1."),
        ({"__PRIMARY_KEY": [["id"]]}, "__PRIMARY_KEY must be a list of paths"),
        ({"__PRIMARY_KEY": ["nope"]}, "The primary key 'nope' is not a column of the records."),
    ],
)
def test_wrong_settings_are_said(api: Api, settings: dict[str, Any], message: str):
    parameters = {**selected(f"{api.url}/", {"endpoint": "users"}), **settings}

    assert complaint("infer_mapping", parameters).startswith(message)


def test_columns_of_two_meanings_are_refused(api: Api):
    parameters = selected(f"{api.url}/", {"endpoint": "users"}, userData={"id": "x"})

    assert complaint("infer_mapping", parameters).startswith("The column 'id' is already among the columns")
