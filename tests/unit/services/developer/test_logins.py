"""Logins of the developer portal: JWTs that cannot be made, changed or kept, and refresh tokens."""

from __future__ import annotations

import base64
import json
from collections.abc import Generator
from datetime import timedelta
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from penstock.foundation import audit, clock
from penstock.services.developer import interface as developer
from tests.support.http import Http
from tests.unit.services.developer.portal import Portal


@pytest.fixture
def later() -> Generator[Any]:
    before = clock.source

    def move(**by: float) -> None:
        clock.source = lambda: before() + timedelta(**by)

    yield move
    clock.source = before


def profile(portal: Portal, token: str) -> int:
    return portal.with_token(token).get("/auth/profile").status


def claims_of(token: str) -> dict[str, Any]:
    middle = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def part(document: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def test_a_service_account_signs_in_and_sees_who_it_is(portal: Portal) -> None:
    vendor = portal.make_vendor()
    made = vendor.client.post(f"/vendors/{vendor.id}/credentials", {"name": "ci", "description": "CI of the vendor"})
    login = portal.anyone.post("/auth/login", {"email": made.json["username"], "password": made.json["password"]})
    seen = portal.with_token(login.json["token"]).get("/auth/profile")

    assert made.status == 200
    assert made.json["username"] == f"service.{vendor.id}.ci"
    assert set(made.json) == {"username", "password", "description", "createdOn"}
    assert login.json["expiresIn"] == 3600
    assert set(login.json) == {"token", "accessToken", "refreshToken", "expiresIn"}
    assert seen.json == {
        "name": "CI of the vendor",
        "email": made.json["username"],
        "vendors": [{"id": vendor.id, "name": "A vendor"}],
        "isAdmin": False,
        "mfa": False,
    }


@pytest.mark.parametrize("password", ["wrong", "x" * 60, "x" * 1000])
def test_a_wrong_password_and_an_unknown_name_get_the_same_error(portal: Portal, password: str) -> None:
    username, _ = portal.make_account(is_admin=True)
    wrong = portal.anyone.post("/auth/login", {"email": username, "password": password})
    unknown = portal.anyone.post("/auth/login", {"email": "nobody", "password": password})

    assert (wrong.status, unknown.status) == (401, 401)
    assert wrong.json["errorMessage"] == unknown.json["errorMessage"]
    assert wrong.json["errorType"] == "Unauthorized"
    assert wrong.json["requestId"] == wrong.json["exceptionId"]


def test_a_request_without_a_token_says_how_to_send_one(portal: Portal) -> None:
    response = portal.anyone.get("/auth/profile")
    with_word = Http(portal.anyone.base, headers={"Authorization": f"Bearer {portal.admin.headers['Authorization']}"})

    assert response.status == 401
    assert "without `Bearer`" in response.json["errorMessage"]
    assert with_word.get("/auth/profile").status == 401


def test_tokens_that_the_stack_has_not_signed_are_refused(portal: Portal) -> None:
    token = portal.log_in(*portal.make_account(is_admin=True))["token"]
    header, middle, signature = token.split(".")
    claims = claims_of(token)
    raised = part({**claims, "sub": "somebody-else"})
    other_key = jwt.encode({"alg": "HS256"}, claims, OctKey.generate_key(256))
    with_rsa = jwt.encode({"alg": "RS256"}, claims, RSAKey.generate_key(2048))
    forged = {
        "no algorithm": f"{part({'alg': 'none', 'typ': 'JWT'})}.{middle}.",
        "no algorithm, with its signature": f"{part({'alg': 'none'})}.{middle}.{signature}",
        "none in capitals": f"{part({'alg': 'NONE'})}.{middle}.",
        "another algorithm": f"{part({'alg': 'HS512', 'typ': 'JWT'})}.{middle}.{signature}",
        "another key": other_key,
        "RSA": with_rsa,
        "changed claims": f"{header}.{raised}.{signature}",
        "no signature": f"{header}.{middle}.",
        "cut off": token[:-4],
        "key in the header": f"{part({'alg': 'HS256', 'jwk': {'kty': 'oct', 'k': 'AAAA'}})}.{middle}.{signature}",
        "not a JWT": "nonsense",
        "huge": "a" * 8_000,
        "not ASCII": "é.é.é",
        "empty parts": "..",
    }

    assert profile(portal, token) == 200
    assert {kind: profile(portal, each.encode().decode("latin-1")) for kind, each in forged.items()} == dict.fromkeys(
        forged, 401
    )


def test_a_token_expires_after_an_hour_and_a_refresh_token_after_thirty_days(portal: Portal, later: Any) -> None:
    login = portal.log_in(*portal.make_account(is_admin=True))
    refreshing = portal.with_token(login["refreshToken"])

    later(minutes=59)
    assert profile(portal, login["token"]) == 200
    later(minutes=61)
    assert profile(portal, login["token"]) == 401
    fresh = refreshing.get("/auth/token")
    assert fresh.status == 200
    assert profile(portal, fresh.json["token"]) == 200
    later(days=29, hours=23)
    assert refreshing.get("/auth/token").status == 200
    later(days=30, minutes=1)
    assert refreshing.get("/auth/token").status == 401


def test_a_token_is_of_one_kind_only(portal: Portal) -> None:
    login = portal.log_in(*portal.make_account(is_admin=True))

    assert profile(portal, login["refreshToken"]) == 401
    assert portal.with_token(login["token"]).get("/auth/token").status == 401


def test_a_client_may_keep_its_refresh_token(portal: Portal) -> None:
    login = portal.log_in(*portal.make_account(is_admin=True))
    refreshing = portal.with_token(login["refreshToken"])

    assert [refreshing.get("/auth/token").status for _ in range(3)] == [200, 200, 200]


def test_a_refresh_token_that_was_replaced_ends_the_login_when_it_is_used(portal: Portal) -> None:
    login = portal.log_in(*portal.make_account(is_admin=True))
    second = portal.with_token(login["refreshToken"]).get("/auth/token").json
    third = portal.with_token(second["refreshToken"]).get("/auth/token").json
    stale = portal.with_token(login["refreshToken"]).get("/auth/token")

    assert stale.status == 401
    assert [profile(portal, each["token"]) for each in (login, second, third)] == [401, 401, 401]
    assert portal.with_token(third["refreshToken"]).get("/auth/token").status == 401
    with portal.services.stack.database.reading() as tx:
        wanted = audit.AuditFilter(event="developer.refreshTokenReused")
        assert [entry.project_id for entry in audit.list_entries(tx, wanted)] == [0]


def test_logging_out_ends_all_tokens_of_the_login_and_no_other(portal: Portal) -> None:
    account = portal.make_account(is_admin=True)
    login, other = portal.log_in(*account), portal.log_in(*account)

    assert portal.with_token(login["accessToken"]).post("/auth/logout").status == 204
    assert profile(portal, login["token"]) == 401
    assert portal.with_token(login["refreshToken"]).get("/auth/token").status == 401
    assert profile(portal, other["token"]) == 200


def test_a_removed_account_is_out_at_once(portal: Portal) -> None:
    username, password = portal.make_account(is_admin=True)
    login = portal.log_in(username, password)
    assert profile(portal, login["token"]) == 200

    with portal.services.stack.database.writing(0) as tx:
        developer.remove_account(tx, username)

    assert profile(portal, login["token"]) == 401
    assert portal.with_token(login["refreshToken"]).get("/auth/token").status == 401
    assert portal.anyone.post("/auth/login", {"email": username, "password": password}).status == 401


def test_tokens_are_valid_after_the_key_of_the_stack_was_rotated(services_with_portal: Portal) -> None:
    portal = services_with_portal
    login = portal.log_in(*portal.make_account(is_admin=True))

    portal.services.stack.cipher.ring.add()

    assert profile(portal, login["token"]) == 200
    assert portal.with_token(login["refreshToken"]).get("/auth/token").status == 200


@pytest.fixture
def services_with_portal(services: Any) -> Portal:
    """A stack of its own: its key changes."""
    return Portal(services)


def test_other_names_of_the_service_lead_to_it(portal: Portal) -> None:
    for label in ("developer", "apps-api"):
        host = portal.services.by_host(f"{label}.{portal.services.settings.domain}")
        assert host.get("/").json["api"] == "developer"
        assert host.get("/apps").status == 200
