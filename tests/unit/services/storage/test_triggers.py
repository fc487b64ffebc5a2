"""Triggers: stored, returned, updated, and never a way to gain permissions."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation import limits
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, load_table

TRIGGERS = "/v2/storage/triggers"


@pytest.fixture(autouse=True, scope="module")
def tables(shared: ServicesOnly) -> None:
    for name in ("users", "orders"):
        load_table(shared, f"in.c-main.{name}", "id\n1\n")


def own_id(services: ServicesOnly) -> int:
    return int(services.project.token.split("-")[1])


def wish(services: ServicesOnly, **other: Any) -> dict[str, Any]:
    known = {
        "runWithTokenId": own_id(services),
        "component": "orchestration",
        "configurationId": "123",
        "coolDownPeriodMinutes": 10,
        "tableIds": ["in.c-main.users", "in.c-main.orders"],
    }
    return {name: value for name, value in {**known, **other}.items() if value is not None}


def make(services: ServicesOnly, **other: Any) -> dict[str, Any]:
    response = services.service("storage").post(TRIGGERS, wish(services, **other))
    assert response.status == 201, response.text
    return response.json


def test_a_trigger_is_shown_as_it_was_made(shared: ServicesOnly) -> None:
    made = make(shared)
    storage = shared.service("storage")

    assert made == {
        "id": made["id"],
        "runWithTokenId": own_id(shared),
        "component": "orchestration",
        "configurationId": "123",
        "lastRun": None,
        "coolDownPeriodMinutes": 10,
        "creatorToken": {"id": own_id(shared), "description": made["creatorToken"]["description"]},
        "tables": [{"tableId": "in.c-main.users"}, {"tableId": "in.c-main.orders"}],
    }
    assert isinstance(made["id"], str)
    assert storage.get(f"{TRIGGERS}/{made['id']}").json == made
    assert storage.get(f"{TRIGGERS}/{made['id']}/").json == made
    assert made in storage.get(f"{TRIGGERS}/").json


def test_numbers_may_be_text_and_ids_numbers(shared: ServicesOnly) -> None:
    made = make(shared, runWithTokenId=str(own_id(shared)), configurationId=7, coolDownPeriodMinutes="5")

    assert (made["runWithTokenId"], made["configurationId"]) == (own_id(shared), "7")
    assert made["coolDownPeriodMinutes"] == 5


def test_triggers_are_found_by_what_they_run(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    one = make(services, tableIds=["in.c-main.users"])
    two = make(services, tableIds=["in.c-main.users"], component="ex-generic-v2", configurationId="5")
    storage = services.service("storage")

    assert storage.get(TRIGGERS).json == [one, two]
    assert storage.get(f"{TRIGGERS}?component=ex-generic-v2").json == [two]
    assert storage.get(f"{TRIGGERS}?configurationId=123").json == [one]
    assert storage.get(f"{TRIGGERS}?component=ex-generic-v2&configurationId=123").json == []


@pytest.mark.parametrize(
    ("form", "changed"),
    [
        ("tableIds=in.c-main.orders", {"tables": [{"tableId": "in.c-main.orders"}]}),
        (
            "tableIds=in.c-main.orders&tableIds=in.c-main.users",
            {"tables": [{"tableId": "in.c-main.orders"}, {"tableId": "in.c-main.users"}]},
        ),
        ("tableIds%5B%5D=in.c-main.orders", {"tables": [{"tableId": "in.c-main.orders"}]}),
        ("coolDownPeriodMinutes=33", {"coolDownPeriodMinutes": 33}),
        ("component=other&configurationId=9", {"component": "other", "configurationId": "9"}),
        ("", {}),
    ],
)
def test_a_form_changes_a_part(shared: ServicesOnly, form: str, changed: dict[str, Any]) -> None:
    made = make(shared)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    response = shared.service("storage").send("PUT", f"{TRIGGERS}/{made['id']}", form.encode(), kind)

    assert (response.status, response.json) == (200, {**made, **changed})
    assert shared.service("storage").get(f"{TRIGGERS}/{made['id']}").json == {**made, **changed}


def test_a_project_has_only_so_many(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TRIGGERS", 1)
    load_table(services, "in.c-main.users", "id\n1\n")
    make(services, tableIds=["in.c-main.users"])
    response = services.service("storage").post(TRIGGERS, wish(services, tableIds=["in.c-main.users"]))

    assert (response.status, response.json["code"]) == (400, "storage.triggers.validation")
    assert "1 triggers" in response.json["error"]


def test_a_trigger_watches_only_so_many_tables(shared: ServicesOnly) -> None:
    too_many = ["in.c-main.users"] * (limits.WATCHED + 1)

    assert shared.service("storage").post(TRIGGERS, wish(shared, tableIds=too_many)).status == 400


def test_a_trigger_is_removed_once(shared: ServicesOnly) -> None:
    path = f"{TRIGGERS}/{make(shared)['id']}"

    assert shared.service("storage").delete(path).status == 204
    for response in (shared.service("storage").get(path), shared.service("storage").delete(path)):
        assert (response.status, response.json["code"]) == (404, "notFound")


@pytest.mark.parametrize(
    "wrong",
    [
        {"runWithTokenId": 999_999_999},
        {"runWithTokenId": "me"},
        {"runWithTokenId": -1},
        {"runWithTokenId": 2**70},
        {"component": ""},
        {"configurationId": ""},
        {"coolDownPeriodMinutes": 0},
        {"coolDownPeriodMinutes": "soon"},
        {"coolDownPeriodMinutes": 2**70},
        {"tableIds": ["in.c-main.absent"]},
        {"tableIds": ["in.c-main.users", "nonsense"]},
        {"tableIds": "nonsense"},
        {"tableIds": [5]},
    ],
)
def test_what_cannot_be_is_refused(shared: ServicesOnly, wrong: dict[str, Any]) -> None:
    made = make(shared)
    storage = shared.service("storage")

    assert storage.post(TRIGGERS, wish(shared, **wrong)).status == 400
    assert storage.put(f"{TRIGGERS}/{made['id']}", wrong).status == 400
    assert storage.get(f"{TRIGGERS}/{made['id']}").json == made


@pytest.mark.parametrize(
    "name", ["runWithTokenId", "component", "configurationId", "coolDownPeriodMinutes", "tableIds"]
)
def test_what_is_missing_is_named(shared: ServicesOnly, name: str) -> None:
    response = shared.service("storage").post(TRIGGERS, wish(shared, **{name: None}))

    assert response.status == 400
    assert name in response.json["error"]


@pytest.mark.parametrize("trigger_id", ["0", "foo", "-1", "9" * 30])
def test_an_unknown_trigger_is_not_found(shared: ServicesOnly, trigger_id: str) -> None:
    storage = shared.service("storage")

    for response in (storage.get(f"{TRIGGERS}/{trigger_id}"), storage.put(f"{TRIGGERS}/{trigger_id}", {})):
        assert (response.status, response.json["code"]) == (404, "notFound")


def test_triggers_of_another_project_are_not_found(shared: ServicesOnly) -> None:
    path = f"{TRIGGERS}/{make(shared)['id']}"
    other = add_project(shared)
    foreign = shared.service("storage", other.token)

    assert foreign.get(TRIGGERS).json == []
    assert foreign.get(path).status == foreign.put(path, {}).status == foreign.delete(path).status == 404
    token_of_another = wish(shared, runWithTokenId=other.caller.token_id)
    assert shared.service("storage").post(TRIGGERS, token_of_another).status == 400


def test_a_trigger_runs_nothing_that_its_maker_may_not(shared: ServicesOnly) -> None:
    """It would run with another's token: that must not be a stronger one."""
    rights = {"componentAccess": ["ex-generic-v2"], "bucketPermissions": {"in.c-main": "read"}}
    made = shared.service("storage").post("/v2/storage/tokens", rights).json
    limited, own = shared.service("storage", made["token"]), int(made["id"])
    ok = {"runWithTokenId": own, "component": "ex-generic-v2"}
    theirs = make(shared)

    assert limited.post(TRIGGERS, wish(shared, **ok)).status == 201
    assert limited.post(TRIGGERS, wish(shared, **ok, tableIds="in.c-main.users")).status == 201
    assert limited.post(TRIGGERS, wish(shared, component="ex-generic-v2")).status == 403
    assert limited.post(TRIGGERS, wish(shared, runWithTokenId=own)).status == 403
    assert limited.put(f"{TRIGGERS}/{theirs['id']}", ok).status == 403
    assert limited.delete(f"{TRIGGERS}/{theirs['id']}").status == 403
    assert limited.get(f"{TRIGGERS}/{theirs['id']}").status == 403
    assert theirs["id"] not in [shown["id"] for shown in limited.get(TRIGGERS).json]


def test_triggers_belong_to_no_branch(shared: ServicesOnly) -> None:
    assert shared.service("storage").get("/v2/storage/branch/default/triggers").status == 404
