"""Versions of a configuration can be read, restored and copied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.database import Database
from penstock.foundation.migrations import migrate
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.store import configurations, versions
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.test_rows import CONFIGS, Config


@pytest.fixture
def config(shared: ServicesOnly) -> Config:
    """Version 1 is new, 2 and 3 add rows, 4 changes the document, 5 a row, and 6 deletes the other."""
    config = Config(shared, name="First", description="d", configuration={"a": 1}, state={"s": 1})
    config.add(rowId="x", name="X", configuration={"x": 1}, state={"t": 1})
    config.add(rowId="y", name="Y")
    config.put("", name="Second", configuration={"a": 2})
    config.put("/rows/x", name="XX", configuration={"x": 2})
    config.storage.delete(f"{config.path}/rows/y")
    return config


def test_versions_are_listed_newest_first(config: Config) -> None:
    listed = config.get("/versions")

    assert [each["version"] for each in listed] == [6, 5, 4, 3, 2, 1]
    assert [each["name"] for each in listed] == ["Second"] * 3 + ["First"] * 3
    assert listed[0]["changeDescription"] == "Row y deleted"
    assert isinstance(listed[0]["creatorToken"]["id"], int)
    assert not any(each["isDeleted"] or "configuration" in each for each in listed)
    assert len({each["versionIdentifier"] for each in listed}) == 6
    assert listed[0]["versionIdentifier"] == config.get()["currentVersion"]["versionIdentifier"]


def test_a_list_of_versions_has_a_beginning_a_length_and_documents_if_asked(config: Config) -> None:
    listed = config.get("/versions?limit=2&offset=2&include=name,configuration")

    assert [(each["version"], each["configuration"]) for each in listed] == [(4, {"a": 2}), (3, {"a": 1})]
    assert config.storage.get(f"{config.path}/versions?limit=0").status == 400
    assert config.storage.get(f"{config.path}/versions?offset=-1").status == 400


@pytest.mark.parametrize(
    ("version", "document", "rows"),
    [
        (1, {"a": 1}, {}),
        (2, {"a": 1}, {"x": {"x": 1}}),
        (3, {"a": 1}, {"x": {"x": 1}, "y": {}}),
        (4, {"a": 2}, {"x": {"x": 1}, "y": {}}),
        (5, {"a": 2}, {"x": {"x": 2}, "y": {}}),
        (6, {"a": 2}, {"x": {"x": 2}}),
    ],
)
def test_a_version_is_shown_as_it_was(
    config: Config, version: int, document: dict[str, Any], rows: dict[str, Any]
) -> None:
    shown = config.get(f"/versions/{version}")

    assert (shown["version"], shown["configuration"], shown["rowsSortOrder"]) == (version, document, [])
    assert {row["id"]: row["configuration"] for row in shown["rows"]} == rows
    assert "state" not in shown


@pytest.mark.parametrize("version", ["7", "0", "x", "-1", "9" * 30, "1.0", "%20"])
def test_a_version_that_never_was_is_not_found(config: Config, version: str) -> None:
    for path in (f"/versions/{version}", f"/rows/x/versions/{version}"):
        response = config.storage.get(f"{config.path}{path}")
        assert (response.status, response.json["code"]) == (404, "notFound")
    assert config.storage.post(f"{config.path}/versions/{version}/rollback").status == 404
    assert config.storage.post(f"{config.path}/versions/{version}/create", {"name": "x"}).status == 404


def test_going_back_brings_back_document_and_rows_and_keeps_states(config: Config) -> None:
    config.put("/rows/x/state", state={"t": 2})
    response = config.storage.post(f"{config.path}/versions/3/rollback")
    now = config.get()
    rows = {row["id"]: row for row in now["rows"]}

    assert (response.status, response.json) == (201, {"version": 7})
    assert (now["version"], now["name"], now["configuration"]) == (7, "First", {"a": 1})
    assert (now["changeDescription"], now["state"]) == ("Rollback to version 3", {"s": 1})
    assert (rows["x"]["name"], rows["x"]["version"], rows["x"]["state"]) == ("X", 3, {"t": 2})
    assert (rows["y"]["name"], rows["y"]["version"], rows["y"]["state"]) == ("Y", 2, {})
    before = {row["id"]: row["configuration"] for row in config.get("/versions/5")["rows"]}
    assert before == {"x": {"x": 2}, "y": {}}


def test_rows_that_are_the_same_then_and_now_stay_as_they_are(config: Config) -> None:
    config.storage.post(f"{config.path}/versions/5/rollback", {"changeDescription": "it was better"})

    assert config.get()["changeDescription"] == "it was better"
    assert {row["id"]: row["version"] for row in config.get("/rows")} == {"x": 2, "y": 2}


def test_going_back_before_the_first_row_takes_all_rows_away(config: Config) -> None:
    config.storage.post(f"{config.path}/versions/1/rollback")

    assert config.get()["rows"] == []
    assert config.get("/versions/7")["rows"] == []


def test_the_order_of_rows_goes_back_too(config: Config) -> None:
    config.add(rowId="a")
    config.put("", rowsSortOrder=["x", "a"])
    config.storage.post(f"{config.path}/versions/7/rollback")
    assert (config.get()["rowsSortOrder"], [row["id"] for row in config.get("/rows")]) == ([], ["a", "x"])

    config.storage.post(f"{config.path}/versions/8/rollback")
    assert (config.get()["rowsSortOrder"], [row["id"] for row in config.get("/rows")]) == (["x", "a"], ["x", "a"])


def test_a_copy_is_a_new_configuration_with_the_rows_of_then(config: Config) -> None:
    response = config.storage.post(f"{config.path}/versions/3/create", {"name": "Copy"})
    copy = config.storage.get(f"{CONFIGS}/{response.json['id']}").json

    assert response.status == 201
    assert (copy["name"], copy["description"], copy["version"]) == ("Copy", "d", 1)
    assert (copy["configuration"], copy["state"]) == ({"a": 1}, {})
    assert copy["changeDescription"] == f'Copied from configuration "First" ({config.id}) version 3'
    assert [(row["id"], row["name"], row["version"], row["state"]) for row in copy["rows"]] == [
        ("x", "X", 1, {}),
        ("y", "Y", 1, {}),
    ]
    assert config.version == 6


def test_a_copy_needs_a_name_and_takes_other_words(config: Config) -> None:
    path = f"{config.path}/versions/1/create"
    refused = config.storage.post(path)
    made = config.storage.post(path, {"name": "n", "description": "", "changeDescription": "c"}).json["id"]
    copy = config.storage.get(f"{CONFIGS}/{made}").json

    assert (refused.status, refused.json["code"]) == (400, "storage.components.validation")
    assert (copy["description"], copy["changeDescription"]) == ("", "c")


def test_a_row_has_versions_of_its_own(config: Config) -> None:
    listed = config.get("/rows/x/versions?include=configuration")
    one = config.get("/rows/x/versions/1")

    assert [(each["version"], each["configuration"]) for each in listed] == [(2, {"x": 2}), (1, {"x": 1})]
    assert (one["name"], one["configuration"], one["changeDescription"]) == ("X", {"x": 1}, "Row x added")
    assert config.storage.get(f"{config.path}/rows/y/versions").json["error"] == "Row y not found"


def test_a_row_goes_back_alone(config: Config) -> None:
    response = config.storage.post(f"{config.path}/rows/x/versions/1/rollback")

    assert (response.status, response.json["version"], response.json["name"]) == (201, 3, "X")
    assert (response.json["changeDescription"], response.json["state"]) == ("Rollback to version 1", {"t": 1})
    assert (config.version, config.get()["name"]) == (7, "Second")


def test_a_row_is_copied_beside_itself_or_into_another_configuration(shared: ServicesOnly, config: Config) -> None:
    other, path = Config(shared), f"{config.path}/rows/x/versions/1/create"
    here = config.storage.post(path).json
    there = config.storage.post(path, {"targetConfigId": other.id, "changeDescription": "moved"}).json

    assert (here["name"], here["version"], here["state"]) == ("X", 1, {})
    said = f'Row {here["id"]} copied from configuration "Second" ({config.id}) row x version 1'
    assert here["changeDescription"] == config.get()["changeDescription"] == said
    assert other.get("/rows") == [there]
    assert (other.version, other.get()["changeDescription"]) == (2, "moved")
    assert config.storage.post(path, {"targetConfigId": "absent"}).json["code"] == "storage.configuration.notFound"


def test_versions_go_with_their_configuration(config: Config) -> None:
    config.storage.delete(config.path)
    assert config.storage.get(f"{config.path}/versions").status == 404

    config.storage.post(f"{config.path}/restore")
    deleted = [each["version"] for each in config.get("/versions") if each["isDeleted"]]
    assert (deleted, [row["id"] for row in config.get("/rows")]) == ([7], ["x"])


def test_a_configuration_of_an_older_stack_is_its_own_first_version(tmp_path: Path) -> None:
    database, key = Database(tmp_path / "metadata.sqlite"), ConfigurationKey(1, 2, "ex-generic-v2", "old")
    migrate(database.engine, 4)
    with database.writing() as tx:
        tx.connection.exec_driver_sql(
            "INSERT INTO storage_configurations VALUES (1, 2, 'ex-generic-v2', 'old', 'Old', 'd', ?, ?, 1, 'id', "
            "'Configuration created', 0, '2026-01-01 10:00:00', '2026-01-01 10:00:00', 3, 'admin')",
            (b'{"a":1}', b"{}"),
        )
    migrate(database.engine)

    with database.reading() as tx:
        row, version = configurations.find_configuration(tx, key), versions.find_version(tx, key, 1)
    database.close()
    assert row
    assert (row.changer_id, row.rows_sort_order, row.is_deleted) == (3, [], False)
    assert version
    assert (version.configuration, version.created, version.creator_description) == (b'{"a":1}', row.changed, "admin")
