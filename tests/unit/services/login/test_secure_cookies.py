"""Cookies of sessions, and what browsers are told about HTTPS, over TLS and without."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import Browser, management, sign_up

PLAIN, SECURE = "penstock_session", "__Host-penstock_session"
STATE = "/v1/auth/session"


@pytest.fixture(scope="module")
def proxied(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """A proxy on this machine says how people reach it."""
    folder = tmp_path_factory.mktemp("proxied") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder, trusted_proxies=["127.0.0.1"], hsts_days=30)
    yield stack
    stack.close()


def signed_in(stack: ServicesOnly, scheme: str) -> tuple[Browser, Response]:
    headers = {"X-Forwarded-Proto": scheme}
    browser = Browser(stack, origin=f"{scheme}://127.0.0.1:{stack.port}", headers=headers)
    return browser, browser.sign_in(sign_up(stack))


def is_signed_in(stack: ServicesOnly, scheme: str, cookies: dict[str, str]) -> bool:
    cookie = "; ".join(f"{name}={text}" for name, text in cookies.items())
    headers = {"X-Forwarded-Proto": scheme, "Cookie": cookie}
    return Http(management(stack).base, headers=headers).get(STATE).json["isSignedIn"]


@pytest.mark.parametrize(("scheme", "own", "other"), [("https", SECURE, PLAIN), ("http", PLAIN, SECURE)])
def test_a_session_has_the_name_of_its_scheme_and_no_other(
    proxied: ServicesOnly, scheme: str, own: str, other: str
) -> None:
    browser, response = signed_in(proxied, scheme)
    session = browser.cookies[own]
    attributes = {part.strip().lower() for part in response.cookies[own].split(";")[1:]}

    assert other not in browser.cookies
    assert {"httponly", "path=/", "samesite=lax"} < attributes
    assert ("secure" in attributes, any(part.startswith("domain") for part in attributes)) == (scheme == "https", False)
    assert is_signed_in(proxied, scheme, {own: session})
    assert not is_signed_in(proxied, scheme, {other: session})


def test_over_tls_a_cookie_that_another_host_could_have_set_is_not_looked_at(proxied: ServicesOnly) -> None:
    """A host of the same domain, or the plain port, sets one with the plain name, to sign others in as itself."""
    browser, _ = signed_in(proxied, "https")
    planted = browser.cookies[SECURE]

    assert not is_signed_in(proxied, "https", {PLAIN: planted})
    assert not is_signed_in(proxied, "https", {PLAIN: planted, SECURE: "none"})


def test_signing_out_removes_the_cookie_in_the_way_that_browsers_accept(proxied: ServicesOnly) -> None:
    browser, _ = signed_in(proxied, "https")
    ended = browser.send_form(f"{STATE}/end").cookies[SECURE]

    assert "max-age=0" in ended.lower()
    assert "secure" in ended.lower()
    assert not is_signed_in(proxied, "https", {SECURE: browser.cookies[SECURE]})


@pytest.mark.parametrize(("scheme", "told"), [("https", "max-age=2592000"), ("http", None)])
def test_browsers_are_told_to_use_https_only_over_https(proxied: ServicesOnly, scheme: str, told: str | None) -> None:
    forwarded = Http(management(proxied).base, headers={"X-Forwarded-Proto": scheme})

    for path in (STATE, "/no/such/path"):
        assert forwarded.get(path).headers.get("strict-transport-security") == told


def test_without_the_setting_they_are_not(shared: ServicesOnly) -> None:
    """The name is that of the plain port too, which browsers would no longer open."""
    headers = {"X-Forwarded-Proto": "https"}

    assert "strict-transport-security" not in Http(management(shared).base, headers=headers).get(STATE).headers
