"""Metadata of buckets, tables and columns: items, one by one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from penstock.services.storage.models.metadata import (
    COLUMN,
    CONFIGURATION,
    TABLE,
    MetadataItem,
    Owner,
)
from penstock.services.storage.operations import metadata
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.storage.metadata.objects import (
    ALL,
    BUCKET,
    BUCKET_ID,
    OF_COLUMN,
    OF_TABLE,
    TABLE_ID,
    body,
    clear,
    put,
)


@pytest.mark.parametrize("path", ALL)
def test_metadata_is_kept_shown_and_removed(shared: ServicesOnly, path: str) -> None:
    clear(shared, path)
    made = put(shared, path, ("KBC.description", "people"), ("rows", 5))
    storage = shared.service("storage")

    assert storage.get(path).json == made
    assert [(item["key"], item["value"], item["provider"]) for item in made] == [
        ("KBC.description", "people", "user"),
        ("rows", "5", "user"),
    ]
    assert all(isinstance(item["id"], str) for item in made)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000", made[0]["timestamp"])
    assert storage.delete(f"{path}/{made[0]['id']}").status == 204
    assert storage.get(path).json == made[1:]


@pytest.mark.parametrize("path", ALL)
def test_an_overwritten_item_keeps_its_id_and_its_place(shared: ServicesOnly, path: str) -> None:
    clear(shared, path)
    first = put(shared, path, ("a", "1"), ("b", "2"))
    second = put(shared, path, ("a", "3"), ("c", "4"))

    assert [(item["key"], item["value"]) for item in second] == [("a", "3"), ("b", "2"), ("c", "4")]
    assert second[0]["id"] == first[0]["id"]


@pytest.mark.parametrize("path", ALL)
def test_one_key_of_two_providers_is_two_items(shared: ServicesOnly, path: str) -> None:
    clear(shared, path)
    put(shared, path, ("a", "1"), provider="one")
    both = put(shared, path, ("a", "2"), provider="two")

    assert [(item["provider"], item["value"]) for item in both] == [("one", "1"), ("two", "2")]


@pytest.mark.parametrize("path", ALL)
@pytest.mark.parametrize(("value", "kept"), [("", ""), (0, "0"), (1.5, "1.5"), (True, "true"), ("ž\n'\"", "ž\n'\"")])
def test_values_are_text(shared: ServicesOnly, path: str, value: Any, kept: str) -> None:
    assert [item["value"] for item in put(shared, path, ("value", value)) if item["key"] == "value"] == [kept]


@pytest.mark.parametrize("path", ALL)
def test_a_provider_must_be_named_and_may_not_be_ours(shared: ServicesOnly, path: str) -> None:
    storage = shared.service("storage")
    missing = storage.post(path, {"metadata": [{"key": "a", "value": "1"}]})
    ours = storage.post(path, body(("a", "1"), provider="storage"))

    assert (missing.status, missing.json["code"]) == (400, "storage.metadata.invalidProvider")
    assert missing.json["error"] == "Provider is required."
    assert (ours.status, ours.json["code"]) == (403, "storage.metadata.invalidProvider")
    assert storage.post(path, body(("a", "1"), provider="x" * 256)).status == 400


@pytest.mark.parametrize("path", ALL)
@pytest.mark.parametrize("key", ["", "a b", "ž", "a/b", "a\n", "x" * 256, "a:b"])
def test_a_key_that_cannot_be_is_refused(shared: ServicesOnly, path: str, key: str) -> None:
    clear(shared, path)
    response = shared.service("storage").post(path, body(("good", "1"), (key, "2")))

    assert (response.status, response.json["code"]) == (400, "storage.metadata.invalidKey")
    assert shared.service("storage").get(path).json == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"metadata": "text"},
        {"metadata": {"key": "a", "value": "1"}},
        {"metadata": [1]},
        {"metadata": [{"key": "a"}]},
        {"metadata": [{"value": "a"}]},
        {"metadata": [{"key": "a", "value": None}]},
        {"metadata": [{"key": "a", "value": {}}]},
        {"metadata": [{"key": 5, "value": "a"}]},
        {"provider": 5},
    ],
)
@pytest.mark.parametrize("path", ALL)
def test_a_wrong_shape_is_refused(shared: ServicesOnly, path: str, wrong: dict[str, Any]) -> None:
    assert shared.service("storage").post(path, {"provider": "user", **wrong}).status == 400


@pytest.mark.parametrize("metadata_id", ["0", "999999", "foo", "-1", "9" * 30])
def test_an_unknown_item_is_not_found(shared: ServicesOnly, metadata_id: str) -> None:
    for path, kind, name in (
        (BUCKET, "bucket", BUCKET_ID),
        (OF_TABLE, "table", TABLE_ID),
        (OF_COLUMN, "column", f"{TABLE_ID}.name"),
    ):
        response = shared.service("storage").delete(f"{path}/{metadata_id}")
        assert (response.status, response.json["code"]) == (404, "storage.metadata.notFound")
        assert response.json["error"] == f'Metadata "{metadata_id}" not found for {kind} "{name}".'


def test_an_item_of_another_object_is_not_found(shared: ServicesOnly) -> None:
    item = put(shared, BUCKET, ("a", "1"))[0]

    assert shared.service("storage").delete(f"{OF_TABLE}/{item['id']}").status == 404
    assert item["id"] in [each["id"] for each in shared.service("storage").get(BUCKET).json]


@pytest.mark.parametrize(
    "path",
    [
        "buckets/in.c-absent/metadata",
        "buckets/nonsense/metadata",
        "tables/in.c-main.absent/metadata",
        "tables/nonsense/metadata",
        "columns/in.c-main.users.absent/metadata",
        "columns/in.c-main.users/metadata",
        "columns/nonsense/metadata",
    ],
)
def test_metadata_of_nothing_is_not_found(shared: ServicesOnly, path: str) -> None:
    storage = shared.service("storage")

    assert storage.get(f"/v2/storage/{path}").status == 404
    assert storage.post(f"/v2/storage/{path}", body(("a", "1"))).status == 404
    assert storage.delete(f"/v2/storage/{path}/1").status == 404


@pytest.mark.parametrize("path", ALL)
def test_another_projects_objects_are_not_found(shared: ServicesOnly, path: str) -> None:
    foreign = shared.service("storage", add_project(shared).token)

    assert foreign.get(path).status == foreign.post(path, body(("a", "1"))).status == 404


@pytest.mark.parametrize("path", ALL)
def test_who_may_only_read_a_bucket_only_reads(shared: ServicesOnly, path: str) -> None:
    item = put(shared, path, ("a", "1"))[0]
    may = {}
    for right in ("read", "write"):
        wish = {"bucketPermissions": {BUCKET_ID: right}}
        token = shared.service("storage").post("/v2/storage/tokens", wish).json["token"]
        may[right] = shared.service("storage", token)
    nobody = shared.service("storage", shared.service("storage").post("/v2/storage/tokens", {}).json["token"])

    assert may["read"].get(path).status == 200
    assert may["read"].post(path, body(("a", "2"))).status == 403
    assert may["read"].delete(f"{path}/{item['id']}").status == 403
    assert nobody.get(path).status == 403
    assert may["write"].post(path, body(("a", "2"))).status == 201
    assert may["write"].delete(f"{path}/{item['id']}").status == 204


def test_branches_show_what_the_main_one_has(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    made = storage.post("/v2/storage/branch/default/buckets/in.c-main/metadata", body(("branch", "1")))

    assert made.status == 201
    assert storage.get(BUCKET).json == made.json


def test_what_lies_below_a_prefix_goes_with_it_and_nothing_else(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    here = (caller.project_id, caller.main_branch_id)
    ids = ["in.c-a.t", "in.c-a.u", "in.c-A.t", "in.c-ab.t", "in.c-a", "in.c_a.t"]
    with services.stack.database.writing() as tx:
        for table_id in ids:
            metadata.put_metadata(tx, Owner(*here, TABLE, table_id), "user", [MetadataItem("k", "v")])
        metadata.put_metadata(tx, Owner(*here, COLUMN, "in.c-a.t.x"), "user", [MetadataItem("k", "v")])

        assert set(metadata.list_all_metadata(tx, *here, TABLE, "in.c-a.")) == {"in.c-a.t", "in.c-a.u"}
        metadata.drop_metadata_below(tx, *here, TABLE, "in.c-a.")
        assert set(metadata.list_all_metadata(tx, *here, TABLE)) == {"in.c-A.t", "in.c-ab.t", "in.c-a", "in.c_a.t"}
        assert set(metadata.list_all_metadata(tx, *here, COLUMN)) == {"in.c-a.t.x"}


def test_storage_itself_may_add_metadata(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    owner = Owner(caller.project_id, caller.main_branch_id, TABLE, "in.c-main.users")
    with services.stack.database.writing() as tx:
        metadata.put_own_metadata(tx, owner, [MetadataItem("KBC.dataTypesEnabled", True)])
        (row,) = metadata.list_metadata(tx, owner)
        metadata.drop_metadata(tx, owner)
        assert metadata.list_metadata(tx, owner) == []

    assert (row.provider, row.value) == ("storage", "true")


def test_configurations_do_not_ask_for_a_provider(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    owner = Owner(caller.project_id, caller.branch_id, CONFIGURATION, "ex-generic-v2/1")
    with services.stack.database.writing() as tx:
        metadata.put_metadata(tx, owner, "one", [MetadataItem("k", "1")])
        metadata.put_metadata(tx, owner, "", [MetadataItem("k", "2")])
        (row,) = metadata.list_metadata(tx, owner)

    assert (row.provider, row.value) == ("", "2")
