"""Every row for signing in, from the route table: who is let in, and what hostile values do."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from penstock.app import list_services
from penstock.foundation.callers import Right
from penstock.web.routing import Route
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import FORM, management, personal_token, sign_in, sign_up

ROWS = [
    row
    for service in list_services()
    if service.id == "management"
    for row in service.routes
    if row.path.startswith(("/v1/auth", "/admin/auth"))
]
CLOSED = [row for row in ROWS if row.needs is not Right.PUBLIC]
JSON = {"Content-Type": "application/json"}
HOSTILE = [
    "",
    "'",
    "\0",
    "\r\nSet-Cookie: a=b",
    "{{7*7}}",
    "<script>",
    "../../etc/passwd",
    "9" * 400,
    "\ud7ff",
    "a" * 9000,
]
FIELDS = (
    *("email", "password", "code", "mfaToken", "clientId", "redirectUri", "codeChallenge", "codeVerifier", "state"),
    *("deviceCode", "userCode", "refreshToken", "token", "next", "name", "decision", "error", "description"),
)


def test_the_rows_that_are_open_are_known() -> None:
    assert {row.path for row in CLOSED} == {
        "/v1/auth/token/introspect",
        "/v1/auth/me",
        "/v1/auth/sessions",
        "/v1/auth/sessions/{session_id}",
        "/v1/auth/personal-tokens",
        "/v1/auth/personal-tokens/{token_id}",
        "/v1/auth/password",
        "/v1/auth/second-factor",
        "/v1/auth/second-factor/confirm",
        "/v1/auth/second-factor/remove",
        "/v1/auth/session/token",
    }


@pytest.mark.parametrize("row", CLOSED, ids=[f"{row.method} {row.path}" for row in CLOSED])
def test_a_closed_row_refuses_every_wrong_credential_before_it_reads_the_body(shared: ServicesOnly, row: Route) -> None:
    user = sign_up(shared)
    wrong = [
        "",
        "Bearer ",
        "Bearer nonsense",
        f"Bearer {shared.project.token}",
        "Basic eDp5",
        "Bearer kbc_at_1_" + "0" * 60,
    ]
    wrong += [f"Bearer {sign_in(shared, user)['refreshToken']}"]
    if row.auth and row.auth.name != "person":
        wrong.append(f"Bearer {personal_token(shared, user)}")
    path = row.path.replace("{session_id}", "1").replace("{token_id}", "1")
    for header in wrong:
        response = management(shared).send(row.method, path, b"no json", {"Authorization": header, **JSON})
        assert response.status == 401, f"{header[:20]}: {response.text}"


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.method} {row.path}" for row in ROWS])
def test_hostile_values_are_never_an_error_of_ours(shared: ServicesOnly, row: Route) -> None:
    token = {"Authorization": f"Bearer {sign_in(shared, sign_up(shared))['accessToken']}"}
    for value in HOSTILE:
        path = row.path.replace("{session_id}", "%27").replace("{token_id}", "9" * 30)
        fields = dict.fromkeys(FIELDS, value)
        for body, kind in ((json.dumps(fields).encode(), JSON), (urlencode(fields).encode(), FORM), (b"[1", JSON)):
            query = f"?{urlencode(fields)}" if row.method == "GET" and len(value) < 100 else ""
            response = management(shared).send(row.method, path + query, body, {**token, **kind})
            assert response.status < 500, f"{value[:20]!r}: {response.text}"
            assert "a=b" not in response.headers.get("set-cookie", "")
            assert "<script>" not in response.text or response.headers["content-type"] == "application/json"
