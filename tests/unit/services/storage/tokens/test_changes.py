"""Tokens that are changed and refreshed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.storage.tokens.making import POWERS, TOKENS, make, manager_token, verify


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def test_an_update_changes_what_is_given_and_leaves_the_rest(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, description="before", bucketPermissions={"in.c-main": "read"}, canPurgeTrash=True)
    response = services.service("storage").put(f"{TOKENS}/{made['id']}", {"description": "after", "expiresIn": 1000})

    assert response.status == 200
    shown = verify(services, made["token"]).json
    assert (shown["description"], shown["bucketPermissions"]) == ("after", {"in.c-main": "read"})
    assert shown["canPurgeTrash"]
    assert shown["expires"]
    assert response.json.keys().isdisjoint(("token", "organization"))


@pytest.mark.parametrize("power", ["canManageBuckets", "canCreateJobs", "canReadAllFileUploads", "canPurgeTrash"])
def test_a_right_is_given_and_taken_away(shared: ServicesOnly, power: str) -> None:
    made = make(shared)
    path = f"{TOKENS}/{made['id']}"
    assert not made[power]

    for given in (True, False, "1", "0"):
        assert shared.service("storage").put(path, {power: given}).json[power] is (given in (True, "1"))
        assert verify(shared, made["token"]).json[power] is (given in (True, "1"))
    assert make(shared, None, **{power: True})[power]


def test_tokens_are_made_and_changed_by_forms(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    wish = b"description=form&bucketPermissions%5Bin.c-main%5D=read&componentAccess%5B%5D=ex-generic-v2&canPurgeTrash=1"
    made = services.service("storage").send("POST", TOKENS, wish, form).json
    wish = b"bucketPermissions%5Bin.c-main%5D=write&canPurgeTrash=0"
    changed = services.service("storage").send("PUT", f"{TOKENS}/{made['id']}", wish, form).json

    assert (made["bucketPermissions"], changed["bucketPermissions"]) == ({"in.c-main": "read"}, {"in.c-main": "write"})
    assert made["componentAccess"] == changed["componentAccess"] != []
    assert (made["canPurgeTrash"], changed["canPurgeTrash"]) == (True, False)


@pytest.mark.parametrize(
    "wish", [{"bucketPermissions": {"in.c-main": "manage"}}, {"bucketPermissions": {"in.c-absent": "read"}}]
)
def test_an_update_that_cannot_be_changes_nothing(services: ServicesOnly, wish: dict[str, Any]) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, description="before")
    response = services.service("storage").put(f"{TOKENS}/{made['id']}", {"description": "after", **wish})

    assert (response.status, response.json["code"]) == (400, "storage.tokens.invalidPermissions")
    assert verify(services, made["token"]).json["description"] == "before"


def test_a_master_token_can_be_renamed_and_nothing_else(services: ServicesOnly) -> None:
    own = services.project.token.split("-")[1]
    wish = {"description": "boss@example.test", "canManageBuckets": False, "expiresIn": 1}
    response = services.service("storage").put(f"{TOKENS}/{own}", wish)

    assert (response.status, response.json["description"]) == (200, "boss@example.test")
    assert all(response.json[power] for power in POWERS)
    assert response.json["expires"] is None


def test_a_manager_of_tokens_touches_no_master_token(services: ServicesOnly) -> None:
    manager = services.service("storage", manager_token(services, {}))
    master = f"{TOKENS}/{services.project.token.split('-')[1]}"

    assert manager.put(master, {"description": "mine"}).status == 403
    assert manager.post(f"{master}/refresh").status == 403
    assert manager.delete(master).status == 403
    assert verify(services, services.project.token).status == 200


def test_a_refreshed_token_has_a_new_secret_and_the_old_one_ends(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(services, description="refreshed")
    later = clock.now() + timedelta(seconds=5)
    monkeypatch.setattr(clock, "source", lambda: later)
    response = services.service("storage").post(f"{TOKENS}/{made['id']}/refresh")

    assert response.status == 200
    assert response.json["id"] == made["id"]
    assert response.json["token"] != made["token"]
    assert (response.json["created"], response.json["refreshed"] != made["refreshed"]) == (made["created"], True)
    assert response.json.keys().isdisjoint(("organization", "owner"))
    assert verify(services, made["token"]).status == 401
    assert verify(services, response.json["token"]).json["description"] == "refreshed"


def test_any_token_refreshes_and_sees_itself_but_no_other(services: ServicesOnly) -> None:
    made, other = make(services), make(services)
    own = services.service("storage", made["token"])

    assert own.get(f"{TOKENS}/{made['id']}").json["owner"]["id"] == services.project.id
    for response in (
        own.get(f"{TOKENS}/{other['id']}"),
        own.get(f"{TOKENS}/{other['id']}/events"),
        own.post(f"{TOKENS}/{other['id']}/refresh"),
        own.put(f"{TOKENS}/{made['id']}", {"canManageBuckets": True}),
    ):
        assert (response.status, response.json["code"]) == (403, "accessDenied")
    assert own.post(f"{TOKENS}/{made['id']}/refresh").status == 200
    assert verify(services, made["token"]).status == 401


def test_a_manager_refreshes_only_what_can_do_no_more_than_itself(services: ServicesOnly) -> None:
    """The response contains the secret: with it the manager would gain permissions."""
    load_table(services, "in.c-mine.users", "id\n1\n")
    load_table(services, "in.c-other.users", "id\n1\n")
    manager = services.service("storage", manager_token(services, {"in.c-mine": "read"}))

    for wish, status in (
        ({}, 200),
        ({"bucketPermissions": {"in.c-mine": "read"}}, 200),
        ({"bucketPermissions": {"in.c-mine": "write"}}, 403),
        ({"bucketPermissions": {"in.c-other": "read"}}, 403),
        ({"canManageBuckets": True}, 403),
        ({"canCreateJobs": True}, 403),
        ({"componentAccess": ["ex-generic-v2"]}, 403),
    ):
        assert manager.post(f"{TOKENS}/{make(services, None, **wish)['id']}/refresh").status == status, wish


def test_a_short_lived_manager_refreshes_nothing_that_outlives_it(services: ServicesOnly) -> None:
    text = manager_token(services, {})
    number = text.split("-")[1]
    assert services.service("storage").put(f"{TOKENS}/{number}", {"expiresIn": 1000}).status == 200
    manager = services.service("storage", text)

    assert manager.post(f"{TOKENS}/{make(services)['id']}/refresh").status == 403
    assert manager.post(f"{TOKENS}/{make(services, expiresIn=100)['id']}/refresh").status == 200
