"""Which permissions a token may give to another, and which it has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.storage.tokens.making import POWERS, TOKENS, make, manager_token, verify


def test_who_may_not_manage_tokens_gives_only_a_name_and_an_end(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    weak = make(services, canManageBuckets=True, canCreateJobs=True)
    wish = {"canManageBuckets": True, "canCreateJobs": True, "componentAccess": ["ex-generic-v2"]}
    made = make(services, weak["token"], **wish, bucketPermissions={"in.c-main": "write"}, description="small")

    assert made["description"] == "small"
    assert not any(made[power] for power in POWERS)
    assert (made["bucketPermissions"], made["componentAccess"]) == ({}, [])


def test_a_manager_of_tokens_gives_no_more_than_it_has(services: ServicesOnly) -> None:
    load_table(services, "in.c-mine.users", "id\n1\n")
    load_table(services, "in.c-other.users", "id\n1\n")
    manager = manager_token(services, {"in.c-mine": "read"})
    storage = services.service("storage", manager)

    made = storage.post(TOKENS, {"canManageBuckets": True, "canCreateJobs": True}).json
    assert not made["canManageBuckets"]
    assert not made["canCreateJobs"]
    assert storage.post(TOKENS, {"bucketPermissions": {"in.c-mine": "read"}}).status == 201
    for wish in (
        {"bucketPermissions": {"in.c-mine": "write"}},
        {"bucketPermissions": {"in.c-other": "read"}},
        {"componentAccess": ["ex-generic-v2"]},
    ):
        response = storage.post(TOKENS, wish)
        assert (response.status, response.json["code"]) == (400, "storage.tokens.invalidPermissions")


@pytest.mark.parametrize(
    "wish",
    [
        {"bucketPermissions": {"in.c-main": "manage"}},
        {"bucketPermissions": {"in.c-main": "everything"}},
        {"bucketPermissions": {"in.c-absent": "read"}},
        {"componentAccess": ["no-such-component"]},
    ],
)
def test_a_permission_for_nothing_is_refused(shared: ServicesOnly, wish: dict[str, Any]) -> None:
    load_table(shared, "in.c-main.users", "id\n1\n")
    response = shared.service("storage").post(TOKENS, wish)

    assert (response.status, response.json["code"]) == (400, "storage.tokens.invalidPermissions")


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({"description": 5}, "description"),
        ({"bucketPermissions": "read"}, "bucketPermissions"),
        ({"bucketPermissions": {"in.c-main": 1}}, "bucketPermissions"),
        ({"componentAccess": "ex-generic-v2"}, "componentAccess"),
        ({"canManageBuckets": "perhaps"}, "canManageBuckets"),
    ],
)
def test_a_wrong_wish_is_refused_by_name(shared: ServicesOnly, wish: dict[str, Any], named: str) -> None:
    response = shared.service("storage").post(TOKENS, wish)

    assert response.status == 400
    assert f" - {named}" in response.json["error"]


def test_permissions_hold_on_every_way_to_a_bucket(services: ServicesOnly) -> None:
    load_table(services, "in.c-mine.users", "id\n1\n")
    load_table(services, "in.c-other.users", "id\n1\n")
    limited = services.service("storage", make(services, bucketPermissions={"in.c-mine": "read"})["token"])

    assert [bucket["id"] for bucket in limited.get("/v2/storage/buckets").json] == ["in.c-mine"]
    assert [table["id"] for table in limited.get("/v2/storage/tables").json] == ["in.c-mine.users"]
    assert limited.get("/v2/storage/tables/in.c-mine.users/data-preview").status == 200
    for path in ("buckets/in.c-other", "buckets/in.c-other/tables", "tables/in.c-other.users"):
        assert limited.get(f"/v2/storage/{path}").status == 403
    assert limited.get("/v2/storage/tables/in.c-other.users/data-preview").status == 403
    assert limited.get("/v2/storage/branch/default/tables/in.c-other.users/data-preview").status == 403


def test_a_manager_of_buckets_shows_each_as_its_own(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")

    assert make(services, canManageBuckets=True)["bucketPermissions"] == {"in.c-main": "manage"}


def test_component_access_is_for_that_component(services: ServicesOnly) -> None:
    configs = "/v2/storage/components/ex-generic-v2/configs"
    allowed = services.service("storage", make(services, componentAccess=["keboola.ex-generic-v2"])["token"])
    nothing = services.service("storage", make(services)["token"])

    assert len(allowed.get(configs).json) == 2
    assert nothing.get(configs).status == nothing.get(f"{configs}/sample-orders").status == 403
    assert nothing.post(configs, {"name": "x"}).status == 403
    assert nothing.get("/v2/storage/components").json == []


def test_a_bucket_of_an_old_name_is_not_for_those_who_had_the_old_one(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, bucketPermissions={"in.c-main": "read"})
    assert services.service("storage").delete("/v2/storage/buckets/in.c-main?force=1").status == 204
    load_table(services, "in.c-main.users", "id\n1\n")

    assert verify(services, made["token"]).json["bucketPermissions"] == {}
    assert services.service("storage", made["token"]).get("/v2/storage/buckets/in.c-main").status == 403


def test_a_project_reports_its_size(services: ServicesOnly) -> None:
    empty = verify(services, services.project.token).json["owner"]
    load_table(services, "in.c-one.t", "id\n1\n2\n")
    load_table(services, "in.c-two.t", "id\n3\n")
    full = verify(services, services.project.token).json["owner"]
    tables = services.service("storage").get("/v2/storage/tables").json

    assert (empty["rowsCount"], empty["dataSizeBytes"]) == (0, 0)
    assert full["rowsCount"] == 3
    assert full["dataSizeBytes"] == sum(table["dataSizeBytes"] for table in tables) > 0
    assert (full["expires"], full["billedMonthlyPrice"], full["hasTryModeOn"]) == (None, None, "0")
    assert full["dataRetentionTimeInDays"] == 7
    assert full["limits"] == {}, "none is set"
    assert full["metrics"]["storage.rowsCount"] == {"name": "storage.rowsCount", "value": 3}


def test_what_a_token_may_not_do_is_refused_in_one_sentence(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.t", "id\n1\n")
    reader = services.service("storage", make(services, bucketPermissions={"in.c-main": "read"})["token"])
    component = "/v2/storage/components/ex-generic-v2/configs"

    for response in (
        reader.put("/v2/storage/buckets/in.c-main", {"displayName": "x"}),
        reader.delete("/v2/storage/tables/in.c-main.t"),
        reader.post(component, {"name": "x"}),
    ):
        assert (response.status, response.json["code"]) == (403, "accessDenied")
        assert response.json["error"] == "You don't have access to the resource."
