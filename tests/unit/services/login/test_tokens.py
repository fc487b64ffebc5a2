"""Tokens of people: refreshed, revoked, introspected, and the personal ones that people make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    add_person,
    as_person,
    audited,
    management,
    personal_token,
    sign_in,
    sign_up,
)

ME = "/v1/auth/me"
TOKENS = "/v1/auth/personal-tokens"


def refresh(stack: ServicesOnly, token: str) -> Response:
    return management(stack).post("/v1/auth/token/refresh", {"refreshToken": token})


def test_a_refresh_token_gets_the_next_pair(shared: ServicesOnly) -> None:
    first = sign_in(shared, sign_up(shared))
    second = refresh(shared, first["refreshToken"])

    assert second.status == 200
    assert second.json["sessionId"] == first["sessionId"]
    assert second.json["refreshToken"] != first["refreshToken"]
    assert as_person(shared, second.json["accessToken"]).get(ME).status == 200


def test_a_refresh_token_that_comes_again_at_once_gets_the_same_pair(shared: ServicesOnly) -> None:
    """Another pair would be a second chain, which nobody notices."""
    first = sign_in(shared, sign_up(shared))
    second, again = (refresh(shared, first["refreshToken"]) for _ in range(2))

    assert (second.status, again.status) == (200, 200)
    assert again.json == second.json
    assert as_person(shared, again.json["accessToken"]).get("/v1/auth/me").status == 200
    assert refresh(shared, again.json["refreshToken"]).json["refreshToken"] != second.json["refreshToken"]


def test_a_stale_refresh_token_revokes_everything_of_its_sign_in(
    shared: ServicesOnly, later: Callable[..., None]
) -> None:
    user = sign_up(shared)
    other, first = sign_in(shared, user), sign_in(shared, user)
    second = refresh(shared, first["refreshToken"]).json
    assert refresh(shared, first["refreshToken"]).status == 200, "the response may have been lost"
    later(seconds=31)
    reused = refresh(shared, first["refreshToken"])

    assert (reused.status, reused.json["error"]) == (400, "invalid_grant")
    assert "somebody else may have it" in reused.json["error_description"]
    assert refresh(shared, second["refreshToken"]).status == 400
    assert as_person(shared, second["accessToken"]).get(ME).status == 401
    assert as_person(shared, other["accessToken"]).get(ME).status == 200
    assert f"user {user.id}" in {entry.target for entry in audited(shared, "login.tokenReused")}


def test_tokens_expire(shared: ServicesOnly, later: Callable[..., None]) -> None:
    pair = sign_in(shared, sign_up(shared))
    later(minutes=61)
    expired = as_person(shared, pair["accessToken"]).get(ME)
    assert (expired.status, expired.json["error"]) == (401, "The token has expired. Refresh it, or sign in again.")
    later(days=30)
    assert "has expired" in refresh(shared, pair["refreshToken"]).json["error_description"]


@pytest.mark.parametrize("which", ["accessToken", "refreshToken"])
def test_a_revoked_sign_in_ends_at_once(shared: ServicesOnly, which: str) -> None:
    pair = sign_in(shared, sign_up(shared))
    client = as_person(shared, pair["accessToken"])
    assert client.get(ME).status == 200
    assert management(shared).post("/v1/auth/token/revoke", {"token": pair[which]}).status == 204

    assert client.get(ME).status == 401
    assert refresh(shared, pair["refreshToken"]).status == 400
    assert management(shared).post("/v1/auth/token/revoke", {"token": pair[which]}).status == 204


def test_a_token_is_introspected(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    pair = sign_in(shared, user)
    found = management(shared).post("/v1/auth/token/introspect", {"token": pair["accessToken"]}).json
    own = as_person(shared, pair["accessToken"]).get("/v1/auth/token/introspect").json

    assert found == own
    assert (found["active"], found["user"]["email"], found["sessionId"]) == (True, user.email, pair["sessionId"])
    assert found["projects"] == [{"id": shared.project.id, "name": "My project", "role": "admin"}]
    for token in ("", "nonsense", pair["accessToken"] + "0", pair["accessToken"].replace("_at_", "_pat_")):
        inactive = management(shared).post("/v1/auth/token/introspect", {"token": token})
        assert (inactive.status, inactive.json["active"], inactive.json["user"]) == (200, False, None)


def test_sign_ins_are_listed_and_ended(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    mine, other = sign_in(shared, user), sign_in(shared, user)
    client = as_person(shared, mine["accessToken"])
    sessions = client.get("/v1/auth/sessions").json

    assert {each["id"] for each in sessions} >= {mine["sessionId"], other["sessionId"]}
    assert client.delete(f"/v1/auth/sessions/{other['sessionId']}").status == 204
    assert as_person(shared, other["accessToken"]).get(ME).status == 401
    assert client.delete(f"/v1/auth/sessions/{other['sessionId']}").status == 404
    stranger = as_person(shared, sign_in(shared, sign_up(shared))["accessToken"])
    assert stranger.delete(f"/v1/auth/sessions/{mine['sessionId']}").status == 404
    assert client.get(ME).status == 200


def test_a_personal_token_is_made_listed_and_revoked(shared: ServicesOnly) -> None:
    client = as_person(shared, sign_in(shared, sign_up(shared))["accessToken"])
    made = client.post(TOKENS, {"description": "nightly", "expiresIn": 3600, "onlyReads": True})
    assert made.status == 201
    assert made.json["token"].startswith("kbc_pat_")

    listed = client.get(TOKENS).json
    assert [each["description"] for each in listed] == ["nightly"]
    assert "token" not in listed[0]
    assert as_person(shared, made.json["token"]).get(ME).status == 200
    assert client.delete(f"{TOKENS}/{made.json['id']}").status == 204
    assert as_person(shared, made.json["token"]).get(ME).status == 401
    assert client.delete(f"{TOKENS}/{made.json['id']}").status == 404


@pytest.mark.parametrize(("method", "path"), [("GET", TOKENS), ("POST", TOKENS), ("POST", "/v1/auth/password")])
def test_a_personal_token_does_not_change_how_one_signs_in(shared: ServicesOnly, method: str, path: str) -> None:
    client = as_person(shared, personal_token(shared, sign_up(shared)))

    assert client.send(method, path, b"{}", {"Content-Type": "application/json"}).status == 401


def test_a_personal_token_of_another_user_is_not_found(shared: ServicesOnly) -> None:
    mine, theirs = (as_person(shared, sign_in(shared, sign_up(shared))["accessToken"]) for _ in range(2))
    number = mine.post(TOKENS, {"description": "mine"}).json["id"]

    assert theirs.delete(f"{TOKENS}/{number}").status == 404
    assert [each["id"] for each in mine.get(TOKENS).json] == [number]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "description"),
        ({"description": "x", "expiresIn": 0}, "expiresIn"),
        ({"description": "x", "expiresIn": 10**12}, "expiresIn"),
        ({"description": "x", "projectIds": [999_999]}, "not a member of the project 999999"),
        ({"description": "x", "projectIds": list(range(1001))}, "projectIds"),
        ({"description": "x" * 256}, "description"),
    ],
)
def test_a_personal_token_that_cannot_be_made_says_why(
    shared: ServicesOnly, fields: dict[str, Any], problem: str
) -> None:
    client = as_person(shared, sign_in(shared, sign_up(shared))["accessToken"])
    response = client.post(TOKENS, fields)

    assert response.status == 400
    assert problem in response.json["error"]


@pytest.mark.parametrize(
    "token", ["", "kbc_at_1_2", "kbc_at_0_" + "0" * 60, "kbc_xx_1_" + "0" * 60, "\u00e9".encode().decode("latin-1")]
)
def test_what_is_no_token_is_refused(shared: ServicesOnly, token: str) -> None:
    assert as_person(shared, token).get(ME).status == 401


def test_no_token_is_stored_as_it_is(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    pair, personal = sign_in(shared, user), personal_token(shared, user)
    with shared.stack.database.reading() as tx:
        stored = str([tuple(row) for row in tx.connection.exec_driver_sql("SELECT * FROM management_access_tokens")])

    secrets = [text.rpartition("_")[2] for text in (pair["accessToken"], pair["refreshToken"], personal)]
    assert not [secret for secret in secrets if secret in stored]


def test_a_user_who_is_removed_is_signed_out(shared: ServicesOnly) -> None:
    from penstock.services.login.interface import forget_user
    from penstock.services.management.store.users import remove_user

    user = sign_up(shared)
    token = sign_in(shared, user)["accessToken"]
    with shared.stack.database.writing() as tx:
        remove_user(tx, user.id)
        forget_user(tx, user.id)

    assert as_person(shared, token).get(ME).status == 401
    assert add_person(shared).id != user.id
