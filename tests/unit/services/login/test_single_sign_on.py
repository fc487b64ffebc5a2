"""Single sign-on with a real OpenID Connect server, and with tokens that are forged."""

from __future__ import annotations

import base64
import hmac
import json
import re
import shutil
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import oidc_provider_mock
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from penstock.foundation import clock
from penstock.foundation.errors import Unauthorized
from penstock.services.login.single_sign_on import id_tokens
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    Browser,
    add_person,
    audited,
    enable_second_factor,
    management,
    sign_up,
)

SSO = "/v1/auth/page/sso"
CLIENT = "penstock"
ISSUER, NONCE = "https://issuer.example", "n" * 20


@pytest.fixture(scope="module")
def provider() -> Generator[str]:
    with oidc_provider_mock.run_server_in_thread() as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture(scope="module")
def sso(provider: str, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    folder = tmp_path_factory.mktemp("sso") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder, oidc_issuer=provider, oidc_client_id=CLIENT, oidc_client_secret="secret")
    yield stack
    stack.close()


@pytest.fixture(scope="module")
def joining(provider: str, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    folder = tmp_path_factory.mktemp("joining") / "data"
    shutil.copytree(new_data_folder, folder)
    secret = folder / "secret.txt"
    secret.write_text("secret\n")
    settings: dict[str, Any] = {"oidc_client_secret_file": str(secret), "oidc_auto_join": "guest"}
    settings["oidc_second_factor"] = ["otp"]
    stack = ServicesOnly(folder, oidc_issuer=provider, oidc_client_id=CLIENT, **settings)
    yield stack
    stack.close()


def tell_provider(provider: str, email: str, claims: Mapping[str, Any] = {}) -> None:
    known = {"email": email, "email_verified": True, "name": "Ann", **claims}
    assert Http(provider).put(f"/users/{email}", known).status == 204


def visit_provider(location: str, email: str) -> str:
    """Sign in at the provider: where it sends the browser back to."""
    parts = urlsplit(location)
    response = Http(f"{parts.scheme}://{parts.netloc}").send(
        "POST",
        f"{parts.path}?{parts.query}",
        urlencode({"sub": email}).encode(),
        {"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert response.status == 302, response.text
    return response.headers["location"]


def sign_on(stack: ServicesOnly, browser: Browser, email: str) -> Response:
    started = browser.open(f"{SSO}?next=/v1/auth/page/device")
    assert started.status == 303, started.text
    return browser.open(visit_provider(started.headers["location"], email))


def test_a_user_signs_in_with_the_provider(sso: ServicesOnly, provider: str) -> None:
    user, browser = add_person(sso), Browser(sso)
    tell_provider(provider, user.email)
    assert "Sign in with single sign-on" in browser.open("/v1/auth/page/sign-in").text
    done = sign_on(sso, browser, user.email)

    assert done.status == 303, done.text
    assert done.headers["location"] == f"http://127.0.0.1:{sso.port}/_svc/storage/v1/auth/page/device"
    session = browser.cookies["penstock_session"]
    me = Http(management(sso).base, headers={"Cookie": f"penstock_session={session}"}).get("/v1/auth/me")
    assert me.json["user"]["id"] == user.id
    assert audited(sso, "login.succeeded")[0].details == {"method": "single sign-on"}


@pytest.mark.parametrize("claims", [{}, {"amr": ["mfa"]}, {"acr": "mfa"}])
def test_whoever_has_a_second_factor_is_asked_for_it(
    sso: ServicesOnly, provider: str, claims: dict[str, Any], later: Callable[..., None]
) -> None:
    user, browser = sign_up(sso), Browser(sso)
    app, _ = enable_second_factor(sso, user)
    tell_provider(provider, user.email, claims)
    asked = sign_on(sso, browser, user.email)

    assert (asked.status, "Second factor" in asked.text) == (200, True)
    assert "penstock_session" not in browser.cookies
    action = re.findall(r'action="([^"]*)"', asked.text)[0]
    assert urljoin(f"{SSO}/callback", action) == "/v1/auth/page/code"
    later(seconds=30)
    assert browser.submit(asked, "/v1/auth/page/code", code="000000").status == 401
    done = browser.submit(asked, "/v1/auth/page/code", code=app.at(clock.now()))
    assert (done.status, done.headers["location"].endswith("/v1/auth/page/device")) == (303, True)
    assert browser.cookies["penstock_session"]


@pytest.mark.parametrize(
    ("claims", "status"),
    [({"amr": ["pwd", "otp"]}, 303), ({"acr": "otp"}, 303), ({"amr": ["pwd"]}, 200), ({"acr": ["otp"]}, 200)],
)
def test_a_second_factor_of_the_provider_counts_if_the_operator_says_so(
    joining: ServicesOnly, provider: str, claims: dict[str, Any], status: int
) -> None:
    user = sign_up(joining)
    enable_second_factor(joining, user)
    tell_provider(provider, user.email, claims)

    assert sign_on(joining, Browser(joining), user.email).status == status


@pytest.mark.parametrize("claims", [{}, {"amr": None}, {"amr": [["mfa"], 1]}, {"acr": 1}, {"amr": {"mfa": 1}}])
def test_claims_that_are_not_as_specified_prove_nothing(claims: dict[str, Any]) -> None:
    assert not id_tokens.proves_second_factor(claims, ["mfa"])


def test_by_host_name_it_starts_and_ends_on_the_host_of_the_console(sso: ServicesOnly) -> None:
    """A cookie belongs to one host."""
    domain = sso.settings.domain
    started = sso.by_host(f"management.{domain}").get(f"{SSO}?next=/admin/projects/1")
    assert started.headers["location"] == f"http://connection.{domain}{SSO}?next=%2Fadmin%2Fprojects%2F1"

    location = sso.by_host(f"connection.{domain}").get(SSO).headers["location"]
    assert parse_qs(urlsplit(location).query)["redirect_uri"] == [f"http://connection.{domain}{SSO}/callback"]


def test_the_provider_is_asked_with_state_nonce_and_challenge(sso: ServicesOnly) -> None:
    location = Browser(sso).open(SSO).headers["location"]
    asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}

    assert asked["code_challenge_method"] == "S256"
    assert all(len(asked[name]) >= 43 for name in ("state", "nonce", "code_challenge"))
    assert (asked["client_id"], asked["scope"]) == (CLIENT, "openid email profile")


def test_who_was_not_invited_is_refused(sso: ServicesOnly, provider: str) -> None:
    tell_provider(provider, "stranger@example.com")
    refused = sign_on(sso, Browser(sso), "stranger@example.com")

    assert refused.status == 401
    assert "nobody has invited your e-mail address to this stack" in refused.text


def test_who_was_not_invited_joins_if_the_operator_says_so(joining: ServicesOnly, provider: str) -> None:
    tell_provider(provider, "new@example.com")
    browser = Browser(joining)
    assert sign_on(joining, browser, "new@example.com").status == 303

    session = browser.cookies["penstock_session"]
    me = Http(management(joining).base, headers={"Cookie": f"penstock_session={session}"}).get("/v1/auth/me").json
    assert [(project["id"], project["role"]) for project in me["projects"]] == [(joining.project.id, "guest")]


@pytest.mark.parametrize("claims", [{"email_verified": False}, {"email_verified": None}, {"email": "no address"}])
def test_an_address_must_be_verified(sso: ServicesOnly, provider: str, claims: dict[str, Any]) -> None:
    user = add_person(sso)
    tell_provider(provider, user.email, claims)
    refused = sign_on(sso, Browser(sso), user.email)

    assert refused.status == 401
    assert "e-mail address" in refused.text


def test_an_address_that_becomes_another_one_in_lower_case_is_refused(joining: ServicesOnly, provider: str) -> None:
    """The Kelvin sign is a k then: Mark's account would be that of whoever has the address with the sign."""
    tell_provider(provider, "someone@example.com", {"email": "mar\N{KELVIN SIGN}@example.com"})
    refused = sign_on(joining, Browser(joining), "someone@example.com")

    assert (refused.status, "did not tell your e-mail address" in refused.text) == (401, True)


def test_a_callback_belongs_to_the_browser_that_started_it(sso: ServicesOnly, provider: str) -> None:
    user, attacker, victim = sign_up(sso), Browser(sso), Browser(sso)
    tell_provider(provider, user.email)
    back = visit_provider(attacker.open(SSO).headers["location"], user.email)
    victim.open(SSO)

    for browser in (victim, Browser(sso)):
        refused = browser.open(back)
        assert (refused.status, "it was started in another browser" in refused.text) == (401, True)
    assert attacker.open(back).status == 303
    assert attacker.open(back).status == 401, "a callback works once"


@pytest.mark.parametrize("query", ["", "?state=x&code=y", "?error=access_denied", "?state=%00"])
def test_a_callback_that_nobody_started_is_refused(sso: ServicesOnly, query: str) -> None:
    assert Browser(sso).open(f"{SSO}/callback{query}").status in (400, 401)


def test_a_code_of_another_sign_in_is_refused(sso: ServicesOnly, provider: str) -> None:
    """Its challenge and its nonce are those of the browser that started it."""
    user, victim, attacker = add_person(sso), Browser(sso), Browser(sso)
    tell_provider(provider, user.email)
    stolen = parse_qs(urlsplit(visit_provider(victim.open(SSO).headers["location"], user.email)).query)["code"][0]
    state = parse_qs(urlsplit(attacker.open(SSO).headers["location"]).query)["state"][0]

    assert attacker.open(f"{SSO}/callback?{urlencode({'state': state, 'code': stolen})}").status == 401


def test_without_a_provider_there_is_no_single_sign_on(services_behind_proxy: ServicesOnly) -> None:
    response = Browser(services_behind_proxy).open(SSO)

    assert (response.status, "This stack has no single sign-on" in response.text) == (404, True)


def test_a_provider_that_cannot_be_reached_is_named(new_data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = ServicesOnly(tmp_path / "data", oidc_issuer="http://127.0.0.1:9", oidc_client_id=CLIENT)
    response = Browser(stack).open(SSO)
    stack.close()

    assert (response.status, "the provider cannot be reached" in response.text) == (401, True)


@pytest.fixture(scope="module")
def key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})


def make_claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    usual = {"iss": ISSUER, "aud": CLIENT, "sub": "1", "nonce": NONCE, "iat": now, "exp": now + 300}
    return {name: value for name, value in {**usual, **changes}.items() if value is not None}


def verify(token: str, key: RSAKey) -> dict[str, Any]:
    keys: Any = KeySet([key]).as_dict(private=False)
    return id_tokens.verify(token, keys, ISSUER, CLIENT, NONCE)


def test_an_id_token_of_the_provider_is_accepted(key: RSAKey) -> None:
    token = jwt.encode({"alg": "RS256", "kid": "one"}, make_claims(), key)

    assert verify(token, key)["sub"] == "1"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://other.example"},
        {"aud": "another"},
        {"aud": ["another"]},
        {"aud": None},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": 1},
        {"exp": None},
        {"iat": int(time.time()) + 3600},
        {"sub": None},
        {"azp": "another"},
    ],
)
def test_an_id_token_for_others_or_for_another_time_is_refused(key: RSAKey, changes: dict[str, Any]) -> None:
    token = jwt.encode({"alg": "RS256", "kid": "one"}, make_claims(**changes), key)

    with pytest.raises(Unauthorized, match="id token of the provider is not valid"):
        verify(token, key)


def sign_with_public_key(key: RSAKey) -> str:
    """The public key of the provider as a shared secret: libraries that trust the header accept that."""
    header = {"alg": "HS256", "kid": "one"}
    parts = [base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in (header, make_claims())]
    signed = hmac.digest(key.as_pem(private=False), b".".join(parts), "sha256")
    return b".".join([*parts, base64.urlsafe_b64encode(signed).rstrip(b"=")]).decode()


def test_an_id_token_that_the_provider_did_not_sign_is_refused(key: RSAKey) -> None:
    other = RSAKey.generate_key(2048, {"kid": "one"})
    unsigned = jwt.encode({"alg": "none"}, make_claims(), None, algorithms=["none"])  # pyright: ignore[reportArgumentType]
    forged = [
        jwt.encode({"alg": "RS256", "kid": "one"}, make_claims(), other),
        sign_with_public_key(key),
        unsigned,
        jwt.encode({"alg": "RS256", "kid": "one"}, make_claims(), key)[:-4] + "AAAA",
        "a.b.c",
        "",
    ]
    for token in forged:
        with pytest.raises(Unauthorized, match="id token of the provider is not valid"):
            verify(token, key)
