"""The password and the connection string of a workspace end with the token that was told them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from penstock.foundation.errors import Unauthorized
from penstock.services.storage.interface.workspaces import log_in_to_workspace
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.oauth_clients.asking import let_in, send
from tests.unit.services.login.oauth_clients.asking import storage as of_program
from tests.unit.services.login.people import as_person, management, personal_token, sign_in, sign_up
from tests.unit.services.storage.loading import storage
from tests.unit.services.storage.workspaces.test_file_workspaces import open_container

WORKSPACES = "/v2/storage/workspaces"


def make(http: Http, **fields: Any) -> dict[str, Any]:
    response = http.post(WORKSPACES, fields)
    assert response.status == 201, response.text
    return response.json


def opens(stack: ServicesOnly, made: dict[str, Any], password: str = "") -> bool:
    connection = made["connection"]
    try:
        with stack.stack.database.reading() as tx:
            log_in_to_workspace(tx, connection["user"], password or connection["password"])
    except Unauthorized:
        return False
    return True


def with_personal_token(stack: ServicesOnly, **fields: Any) -> tuple[Http, str]:
    text = personal_token(stack, sign_up(stack), **fields)
    return as_person(stack, text, "storage", stack.project.id), text


def revoke(stack: ServicesOnly, text: str) -> None:
    assert management(stack).post("/v1/auth/token/revoke", {"token": text}).status == 204


@pytest.mark.parametrize("access", ["read", "write"])
def test_a_program_that_is_let_out_again_has_no_password_any_more(shared: ServicesOnly, access: str) -> None:
    client_id, pair = let_in(shared, access)
    made = make(of_program(shared, pair["access_token"]))
    assert opens(shared, made)

    assert send(shared, "/oauth/revoke", client_id=client_id, token=pair["refresh_token"]).status == 200
    assert not opens(shared, made)


def test_a_personal_access_token_that_is_revoked_takes_its_passwords_along(shared: ServicesOnly) -> None:
    http, text = with_personal_token(shared)
    made = make(http)
    again = http.post(f"{WORKSPACES}/{made['id']}/password").json["password"]
    assert opens(shared, made, again)

    revoke(shared, text)
    assert not opens(shared, made, again)


def test_a_personal_access_token_that_expires_takes_its_passwords_along(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, _ = with_personal_token(shared, expiresIn=600)
    made, files = make(http), make(http, backend="abs")
    container = open_container(files["connection"])
    assert (opens(shared, made), container.put("a", b"1").status) == (True, 201)

    now = clock.source
    monkeypatch.setattr(clock, "source", lambda: now() + timedelta(seconds=601))
    assert (opens(shared, made), container.get("a").status) == (False, 403)


def test_a_connection_string_ends_with_what_it_was_requested_with(shared: ServicesOnly) -> None:
    http, text = with_personal_token(shared)
    container = open_container(make(http, backend="abs")["connection"])
    assert container.put("a", b"1").status == 201

    revoke(shared, text)
    assert container.get("a").status == 403


def test_a_password_ends_with_the_token_that_has_reset_it(shared: ServicesOnly) -> None:
    http = storage(shared)
    made = http.post("/workspaces").json
    other = http.post("/tokens", {"description": "leaves", "canManageBuckets": True}).json
    reset = Http(http.base, other["token"]).post(f"/workspaces/{made['id']}/password")
    password = reset.json["password"]
    assert opens(shared, made, password)

    assert http.delete(f"/tokens/{other['id']}").status == 204
    assert not opens(shared, made, password)
    renewed = http.post(f"/workspaces/{made['id']}/password").json["password"]
    assert opens(shared, made, renewed)


def test_a_password_outlives_the_session_of_a_person(shared: ServicesOnly) -> None:
    access = sign_in(shared, sign_up(shared))["accessToken"]
    made = make(as_person(shared, access, "storage", shared.project.id))

    revoke(shared, access)
    assert opens(shared, made)
