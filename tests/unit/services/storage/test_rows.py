"""Rows of configurations: they have their own versions, and change only together with their configuration."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.secrets import PREFIX, Scope
from penstock.services.storage.operations.configurations.documents import overlay
from tests.support.examples import examples
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

CONFIGS = "/v2/storage/components/ex-generic-v2/configs"
CANARY = "canary-77aa12"


class Config:
    """A configuration of its own, and its rows."""

    def __init__(self, services: ServicesOnly, **wanted: Any) -> None:
        self.storage = services.service("storage")
        self.id = self.storage.post(CONFIGS, {"name": "With rows", **wanted}).json["id"]
        self.path = f"{CONFIGS}/{self.id}"

    def add(self, **wanted: Any) -> dict[str, Any]:
        response = self.storage.post(f"{self.path}/rows", wanted)
        assert response.status == 201, response.text
        return response.json

    def put(self, path: str, **wanted: Any) -> Response:
        return self.storage.put(f"{self.path}{path}", wanted)

    def get(self, path: str = "") -> Any:
        return self.storage.get(f"{self.path}{path}").json

    @property
    def version(self) -> int:
        return self.get()["version"]


def test_a_row_is_shown_in_the_same_way_everywhere(shared: ServicesOnly) -> None:
    config = Config(shared)
    row = config.add(rowId="r", name="ž", description="d", configuration={"b": [], "a": {}}, state={"s": 1})

    assert config.get("/rows/r") == row == config.get("/rows")[0] == config.get()["rows"][0]
    assert (row["id"], row["name"], row["version"], row["isDisabled"]) == ("r", "ž", 1, False)
    assert (row["configuration"], row["state"]) == ({"b": [], "a": {}}, {"s": 1})
    assert row["changeDescription"] == config.get()["changeDescription"] == "Row r added"
    assert row["versionIdentifier"]


def test_versions_of_rows_and_configuration_count_as_clients_expect(shared: ServicesOnly) -> None:
    config = Config(shared)
    rows = {row_id: config.add(rowId=row_id, configuration={"a": 1}) for row_id in ("1", "2")}
    assert config.version == 3

    config.put("", description="changed")
    for row_id, row in rows.items():
        same = {field: row[field] for field in ("name", "description", "configuration", "isDisabled")}
        assert config.put(f"/rows/{row_id}", changeDescription="again", **same).json["version"] == 2
    assert config.version == 6

    config.add(rowId="3")
    after = config.put("", configuration={"b": 1}).json
    assert (after["version"], [row["version"] for row in after["rows"]]) == (8, [2, 2, 1])


def test_a_row_makes_no_version_without_a_field_that_versions_keep(shared: ServicesOnly) -> None:
    config = Config(shared)
    made = config.add(rowId="r", name="n", configuration={"a": 1})
    parent = config.get()

    for nothing in ({}, {"name": None}, {"changeDescription": "nothing but words"}):
        assert config.put("/rows/r", **nothing).json == made
    assert config.get() == parent
    assert config.put("/rows/r", state={"s": 1}, changeDescription="x").json == {**made, "state": {"s": 1}}
    assert config.version == 2


def test_a_field_of_a_row_makes_a_version_even_with_its_old_value(shared: ServicesOnly) -> None:
    config = Config(shared)
    config.add(rowId="r", name="n", configuration={"a": 1})

    assert config.put("/rows/r", name="n").json["version"] == 2
    assert config.put("/rows/r", configuration={"a": 1}, name="n").json["version"] == 3
    assert config.version == 4


def test_words_about_a_row_are_words_about_its_configuration(shared: ServicesOnly) -> None:
    config = Config(shared)
    config.add(rowId="r", changeDescription="because")
    assert config.get()["changeDescription"] == config.get("/rows/r")["changeDescription"] == "because"

    config.put("/rows/r", name="x")
    assert config.get()["changeDescription"] == config.get("/rows/r")["changeDescription"] == "Row r changed"

    config.storage.delete(f"{config.path}/rows/r")
    assert config.get()["changeDescription"] == "Row r deleted"


def test_a_row_is_deleted_with_words_in_the_query_or_the_body(shared: ServicesOnly) -> None:
    config = Config(shared)
    for _ in range(3):
        config.add(name="x")
    first, second, third = (row["id"] for row in config.get("/rows"))

    assert config.storage.delete(f"{config.path}/rows/{first}?changeDescription=in%20the%20query").status == 204
    assert config.get()["changeDescription"] == "in the query"
    body = b'{"changeDescription": "in the body"}'
    headers = {"Content-Type": "application/json"}
    assert config.storage.send("DELETE", f"{config.path}/rows/{second}", body, headers).status == 204
    assert config.get()["changeDescription"] == "in the body"
    assert [row["id"] for row in config.get("/rows")] == [third]
    assert config.storage.get(f"{config.path}/rows/{first}").json["error"] == f"Row {first} not found"
    assert config.storage.delete(f"{config.path}/rows/{first}").json["code"] == "notFound"


def test_an_id_of_a_row_is_used_once(shared: ServicesOnly) -> None:
    config = Config(shared)
    config.add(rowId="r")
    response = config.storage.post(f"{config.path}/rows", {"rowId": "r"})

    assert (response.status, response.json["code"]) == (400, "configurationRowAlreadyExists")
    assert config.version == 2


def test_a_row_that_comes_back_goes_on_counting(shared: ServicesOnly) -> None:
    config = Config(shared)
    config.add(rowId="r")
    config.storage.delete(f"{config.path}/rows/r")

    assert config.add(rowId="r")["version"] == 2


def test_rows_without_an_id_get_one(shared: ServicesOnly) -> None:
    config = Config(shared)
    made = [config.add()["id"] for _ in range(3)]

    assert [row["id"] for row in config.get("/rows")] == sorted(made, key=int)


@pytest.mark.parametrize("row_id", ["a/b", "\n", "x" * 256, ".", "..", " ", "  \u2003"])
def test_an_id_that_cannot_be_in_a_path_is_refused(shared: ServicesOnly, row_id: str) -> None:
    config = Config(shared)
    response = config.storage.post(f"{config.path}/rows", {"rowId": row_id})

    assert (response.status, response.json["code"]) == (400, "storage.componentsRows.validation")


@pytest.mark.parametrize("given", [5, "text", [1], "{", True])
def test_a_document_of_a_row_that_is_not_an_object_is_refused(shared: ServicesOnly, given: object) -> None:
    config = Config(shared)
    config.add(rowId="r")

    for response in (
        config.storage.post(f"{config.path}/rows", {"configuration": given}),
        config.put("/rows/r", configuration=given),
    ):
        assert (response.status, response.json["code"]) == (400, "validation.invalidConfigurationFormat")
    assert config.put("/rows/r/state", state=given).json["code"] == "validation.invalidStateFormat"
    assert config.version == 2


def test_the_state_of_a_row_makes_no_version(shared: ServicesOnly) -> None:
    config = Config(shared)
    config.add(rowId="r", state={"a": 1})
    response = config.put("/rows/r/state", state={"b": 2})

    assert (response.status, response.json["state"], response.json["version"]) == (200, {"b": 2}, 1)
    assert (config.version, config.get("/rows/r")) == (2, response.json)


def test_rows_stand_in_the_order_that_was_asked_for(shared: ServicesOnly) -> None:
    config = Config(shared)
    for row_id in ("10", "9", "b", "a"):
        config.add(rowId=row_id)
    assert [row["id"] for row in config.get("/rows")] == ["9", "10", "a", "b"]
    assert config.get()["rowsSortOrder"] == []

    wanted = ["b", "10", "a", "9"]
    after = config.put("", rowsSortOrder=wanted).json
    assert (after["version"], after["rowsSortOrder"], [row["id"] for row in after["rows"]]) == (6, wanted, wanted)
    assert config.put("", rowsSortOrder=wanted).json["version"] == 7

    config.add(rowId="0")
    config.storage.delete(f"{config.path}/rows/10")
    assert config.get()["rowsSortOrder"] == [row["id"] for row in config.get("/rows")] == ["b", "a", "9", "0"]
    assert config.put("", rowsSortOrder=[]).json["rowsSortOrder"] == []


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (["1"], "validation.invalidRowSortOrder"),
        (["1", "2", "2"], "validation.invalidRowSortOrder"),
        (["1", "2", "3"], "storage.components.validation"),
    ],
)
def test_an_order_names_every_row_once(shared: ServicesOnly, wanted: list[str], code: str) -> None:
    config = Config(shared)
    config.add(rowId="1")
    config.add(rowId="2")
    response = config.put("", rowsSortOrder=wanted)

    assert (response.status, response.json["code"]) == (400, code)


def test_rows_added_at_once_all_count(shared: ServicesOnly) -> None:
    config = Config(shared)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: config.add(rowId=str(number)), range(24)))

    assert {row["version"] for row in made} == {1}
    assert (config.version, len(config.get("/rows"))) == (25, 24)
    assert [each["version"] for each in config.get("/versions")] == list(range(25, 0, -1))


def test_secrets_of_rows_are_encrypted_for_the_hosts_of_the_whole(shared: ServicesOnly) -> None:
    api = {"parameters": {"api": {"baseUrl": "https://api.example.com/"}}}
    config = Config(shared, configuration=api)
    row = config.add(rowId="r", configuration={"parameters": {"#token": CANARY}}, state={"#s": CANARY})
    sealed = row["configuration"]["parameters"]["#token"]
    scope = Scope(shared.project.id, "ex-generic-v2", "api.example.com")

    assert sealed.startswith(PREFIX)
    assert shared.stack.cipher.decrypt({"#token": sealed}, scope) == {"#token": CANARY}
    assert row["state"]["#s"].startswith(PREFIX)
    assert config.put("/rows/r", configuration=row["configuration"]).json["configuration"] == row["configuration"]
    assert CANARY not in json.dumps([config.get("/rows/r/versions?include=configuration"), config.get("/versions/2")])


def test_rows_of_another_project_are_not_there(services: ServicesOnly) -> None:
    config = Config(services)
    config.add(rowId="r")
    foreign = services.service("storage", add_project(services).token)

    for path in ("/rows", "/rows/r", "/rows/r/versions", "/versions", "/metadata"):
        assert foreign.get(f"{config.path}{path}").json["code"] == "storage.configuration.notFound"
    assert foreign.delete(f"{config.path}/rows/r").status == 404
    assert foreign.post(f"{config.path}/rows", {"rowId": "x"}).status == 404


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(max_size=3), JSON, max_size=4)


@given(OBJECTS, OBJECTS)
def test_a_row_laid_over_a_configuration_wins_and_hides_nothing_else(
    below: dict[str, Any], above: dict[str, Any]
) -> None:
    merged = overlay(below, above)

    assert merged.keys() == below.keys() | above.keys()
    assert overlay(below, {}) == below
    assert overlay(merged, above) == merged
    assert all(merged[name] == below[name] for name in below.keys() - above.keys())


@examples(60)
@given(row_id=st.text(max_size=8), name=st.text(max_size=8), document=OBJECTS)
def test_whatever_is_sent_is_kept_or_refused(
    shared: ServicesOnly, row_id: str, name: str, document: dict[str, Any]
) -> None:
    config = Config(shared)
    response = config.storage.post(f"{config.path}/rows", {"rowId": row_id, "name": name, "configuration": document})

    assert response.status in (201, 400)
    if response.status == 201:
        assert config.get(f"/rows/{quote(response.json['id'], safe='')}") == response.json
