"""Codes of programs, which are exchanged for tokens: once, soon, and by the one that asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.services.login.authorizing import make_challenge
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.oauth_clients.asking import (
    CALLBACK,
    VERIFIER,
    allow,
    exchange,
    has_access,
    refresh,
    registered,
    signed_in,
)
from tests.unit.services.login.people import (
    management,
)


@pytest.mark.parametrize(
    ("changes", "word", "problem"),
    [
        ({"code_verifier": "w" * 43}, "invalid_grant", "another code_verifier"),
        ({"code_verifier": ""}, "invalid_grant", "another code_verifier"),
        ({"code_verifier": make_challenge(VERIFIER)}, "invalid_grant", "another code_verifier"),
        ({"redirect_uri": "http://127.0.0.1:1/callback"}, "invalid_grant", "another redirect_uri"),
        ({"redirect_uri": ""}, "invalid_grant", "another redirect_uri"),
        ({"resource": "https://other.example/mcp"}, "invalid_target", "There is no resource"),
        ({"code": "kbc_ac_unknown"}, "invalid_grant", "is unknown here"),
        ({"grant_type": "password"}, "unsupported_grant_type", "grant_type must be"),
        ({"grant_type": ""}, "unsupported_grant_type", "grant_type must be"),
    ],
)
def test_a_code_is_bound(shared: ServicesOnly, changes: dict[str, str], word: str, problem: str) -> None:
    client_id = registered(shared)
    code = allow(signed_in(shared), client_id)
    refused = exchange(shared, **{"client_id": client_id, "code": code, **changes})

    assert (refused.status, refused.json["error"]) == (400, word)
    assert problem in refused.json["error_description"]
    assert refused.headers["cache-control"] == "no-store"
    resource = f"http://127.0.0.1:{shared.port}/_svc/mcp/mcp"
    assert exchange(shared, client_id, code, resource=resource).status == 200, "the owner of the code is not disturbed"


def test_a_code_is_of_one_client(shared: ServicesOnly) -> None:
    client_id, other = registered(shared), registered(shared)
    code = allow(signed_in(shared), client_id)

    assert "another client_id" in exchange(shared, other, code).json["error_description"]
    unknown = exchange(shared, "kbc_cl_unknown", code)
    assert (unknown.status, unknown.json["error"]) == (401, "invalid_client")


def test_a_code_that_comes_twice_revokes_what_it_got(shared: ServicesOnly) -> None:
    client_id = registered(shared)
    code = allow(signed_in(shared), client_id)
    pair = exchange(shared, client_id, code).json
    again = exchange(shared, client_id, code)

    assert (again.status, again.json["error"]) == (400, "invalid_grant")
    assert not has_access(shared, pair)
    assert refresh(shared, client_id, pair["refresh_token"]).json["error"] == "invalid_grant"


def test_a_code_expires(shared: ServicesOnly, later: Callable[..., None]) -> None:
    client_id = registered(shared)
    code = allow(signed_in(shared), client_id)
    later(minutes=6)

    assert "has expired" in exchange(shared, client_id, code).json["error_description"]


def test_a_code_is_not_one_of_another_sign_in(shared: ServicesOnly) -> None:
    """Otherwise it would get tokens for all projects."""
    client_id = registered(shared)
    body = {"clientId": client_id, "redirectUri": CALLBACK, "codeVerifier": VERIFIER}
    code = allow(signed_in(shared), client_id)

    assert management(shared).post("/v1/auth/token", {**body, "code": code}).status == 400
