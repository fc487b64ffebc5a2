"""Tokens: how they are created, returned and revoked."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.tokens.making import POWERS, TOKENS, make, verify


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def test_the_administrators_token_may_do_everything(services: ServicesOnly) -> None:
    token = verify(services, services.project.token).json

    assert all(token[power] for power in POWERS)
    assert token["token"] == services.project.token
    assert token["admin"]["role"] == "admin"
    assert token["id"] == services.project.token.split("-")[1]
    assert token["owner"]["id"] == services.project.id
    assert token["owner"]["defaultBackend"] == "snowflake"
    assert "global-search" in token["owner"]["features"], "without it, clients do not ask for it"
    assert isinstance(token["organization"]["id"], str)
    assert "creatorToken" not in token


def test_a_new_token_may_do_nothing_unless_asked(shared: ServicesOnly) -> None:
    made = make(shared)
    seen = verify(shared, made["token"]).json

    assert not any(seen[power] for power in POWERS)
    assert (seen["bucketPermissions"], seen["componentAccess"]) == ({}, [])
    assert made["description"] == "Created by admin@penstock.localhost"
    assert made["creatorToken"]["id"] == int(shared.project.token.split("-")[1])
    assert "admin" not in made
    assert "organization" not in made


def test_permissions_that_cannot_be_requested_are_not_given(services: ServicesOnly) -> None:
    """Sending back every field of a response does not create a master token."""
    everything = verify(services, services.project.token).json
    wish: dict[str, Any] = {**everything, "bucketPermissions": {}, "isMasterToken": True, "projectId": 99, "id": "1"}
    made = services.service("storage").post(TOKENS, wish).json

    assert not made["isMasterToken"]
    assert not made["canManageTokens"]
    assert made["token"].split("-")[0] == str(services.project.id)
    assert made["id"] != "1"


def test_a_list_shows_every_token_of_the_project_without_secrets(services: ServicesOnly) -> None:
    made, foreign = make(services), add_project(services)
    listed = services.service("storage").get(TOKENS).json

    assert {token["id"] for token in listed} == {made["id"], services.project.token.split("-")[1]}
    assert not any("token" in token or "organization" in token for token in listed)
    assert foreign.token.split("-")[1] not in {token["id"] for token in listed}


def test_a_token_is_shown_by_its_id(services: ServicesOnly) -> None:
    made = make(services, description="for a report")
    detail = services.service("storage").get(f"{TOKENS}/{made['id']}").json

    assert detail["description"] == "for a report"
    assert "token" not in detail
    assert detail["owner"]["id"] == services.project.id


@pytest.mark.parametrize("token_id", ["0", "foo", "9" * 30, "-1", "1.5", "²", "verify%00"])
def test_an_unknown_token_is_not_found(shared: ServicesOnly, token_id: str) -> None:
    storage = shared.service("storage")
    path = f"{TOKENS}/{token_id.replace('²', '%C2%B2')}"

    assert storage.get(path).status == storage.delete(path).status == 404
    assert storage.get(path).json["code"] == "notFound"


def test_a_token_of_another_project_is_not_found(services: ServicesOnly) -> None:
    foreign = add_project(services).token.split("-")[1]
    storage = services.service("storage")

    for response in (storage.get(f"{TOKENS}/{foreign}"), storage.delete(f"{TOKENS}/{foreign}")):
        assert (response.status, response.json["error"]) == (404, f"Token {foreign} not found")


def test_a_revoked_token_ends_at_once(services: ServicesOnly) -> None:
    made = make(services)
    assert verify(services, made["token"]).status == 200

    assert services.service("storage").delete(f"{TOKENS}/{made['id']}").status == 204
    response = verify(services, made["token"])
    assert (response.status, response.json["error"]) == (401, "Invalid access token")
    assert services.service("storage").delete(f"{TOKENS}/{made['id']}").status == 404


def test_a_token_ends_when_its_time_is_over(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 5, 1, 12, 0, 0, tzinfo=clock.now().tzinfo)
    monkeypatch.setattr(clock, "source", lambda: now)
    made = make(services, expiresIn=60)
    assert made["expires"] == "2026-05-01T12:01:00+0000"

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(seconds=59))
    assert verify(services, made["token"]).status == 200
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(seconds=60))
    response = verify(services, made["token"])
    assert (response.status, response.json["code"]) == (401, "storage.tokenInvalid")
    assert services.service("storage").get(f"{TOKENS}/{made['id']}").json["isExpired"]


def test_a_token_cannot_outlive_its_maker(services: ServicesOnly) -> None:
    short = make(services, expiresIn=100)
    made = make(services, short["token"], expiresIn=1000)
    endless = make(services, short["token"])

    assert made["expires"] == endless["expires"] == short["expires"]


@pytest.mark.parametrize("seconds", [0, -1, "soon", 10**12, 1.5])
def test_a_time_that_makes_no_sense_is_refused(shared: ServicesOnly, seconds: object) -> None:
    response = shared.service("storage").post(TOKENS, {"expiresIn": seconds})

    assert response.status == 400
    assert " - expiresIn: " in response.json["error"]
