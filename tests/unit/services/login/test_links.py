"""Links that work once, the session of a browser, and the first administrator."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.server.first_project import make_first_link
from penstock.services.login import attempts
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    PASSWORD,
    Browser,
    add_person,
    audited,
    enable_second_factor,
    log_in,
    make_link,
    management,
    set_password,
    sign_up,
)

LINK = "/v1/auth/page/link"


def code_of(link: str) -> str:
    return link.partition("code=")[2]


def test_a_link_sets_a_password_and_signs_in(shared: ServicesOnly) -> None:
    user, browser = add_person(shared), Browser(shared)
    page = browser.open(make_link(shared, user))
    assert (page.status, user.email in page.text) == (200, True)
    assert page.headers["referrer-policy"] == "strict-origin"
    assert page.headers["cache-control"] == "no-store"
    done = browser.submit(page, LINK, name="Ann of <b>Arc</b>", password=PASSWORD)

    assert (done.status, done.headers["location"]) == (303, f"http://127.0.0.1:{shared.port}/_svc/storage/admin")
    assert "HttpOnly" in done.headers["set-cookie"]
    assert "SameSite=lax" in done.headers["set-cookie"]
    assert "Secure" not in done.headers["set-cookie"]
    assert log_in(shared, user).json["user"]["name"] == "Ann of <b>Arc</b>"


def test_a_link_works_once(shared: ServicesOnly) -> None:
    user = add_person(shared)
    link = make_link(shared, user)
    for _ in range(3):
        assert Browser(shared).open(link).status == 200, "to look at it does not use it up"
    first = Browser(shared).send_form(LINK, code=code_of(link), password=PASSWORD)
    again = Browser(shared).send_form(LINK, code=code_of(link), password="another long password")

    assert (first.status, again.status) == (303, 404)
    assert "This link was used before, has expired or was replaced" in again.text
    assert Browser(shared).open(link).status == 404
    assert log_in(shared, user).status == 200


def test_a_link_expires_and_is_replaced_by_a_newer_one(shared: ServicesOnly, later: Callable[..., None]) -> None:
    user = add_person(shared)
    old, new = make_link(shared, user), make_link(shared, user)
    assert [Browser(shared).open(link).status for link in (old, new)] == [404, 200]
    later(hours=25)

    assert Browser(shared).open(new).status == 404
    assert Browser(shared).send_form(LINK, code=code_of(new), password=PASSWORD).status == 404


def test_a_weak_password_does_not_use_up_the_link(shared: ServicesOnly) -> None:
    user = add_person(shared)
    link = make_link(shared, user)

    assert Browser(shared).send_form(LINK, code=code_of(link), password="short").status == 400
    assert Browser(shared).send_form(LINK, code=code_of(link), password=PASSWORD).status == 303


def test_a_link_is_not_for_another_user(shared: ServicesOnly) -> None:
    user, other, browser = add_person(shared), sign_up(shared), Browser(shared)
    browser.sign_in(other)
    link = make_link(shared, user)

    shown, used = browser.open(link), browser.send_form(LINK, code=code_of(link), password=PASSWORD)
    assert (shown.status, used.status) == (403, 403)
    assert f"signed in as {other.email}" in shown.text
    assert log_in(shared, user).status == 401
    assert Browser(shared).open(link).status == 200


@pytest.mark.parametrize("code", ["", "x", "0" * 60, "0" * 1000])
def test_what_is_no_code_of_a_link_is_not_found(shared: ServicesOnly, code: str) -> None:
    assert Browser(shared).open(f"{LINK}?code={code}").status == 404


def test_a_new_password_by_link_ends_all_sign_ins(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    token = log_in(shared, user).json["accessToken"]
    assert set_password(shared, user, "another long password").status == 303

    client = Http(management(shared).base, headers={"Authorization": f"Bearer {token}"})
    assert client.get("/v1/auth/me").status == 401
    assert f"user {user.id}" in {entry.target for entry in audited(shared, "password.changed")}


def test_the_first_administrator_gets_a_link_until_somebody_has_a_password(services: ServicesOnly) -> None:
    first = make_first_link(services.stack, services.project)
    second = make_first_link(services.stack, services.project)
    assert first
    assert second
    assert Browser(services).open(first).status == 404, "the newer one counts"
    browser = Browser(services)
    assert browser.submit(browser.open(second), LINK, name="Root", password=PASSWORD).status == 303

    assert make_first_link(services.stack, services.project) is None
    pair = log_in(services, "admin@penstock.localhost").json
    client = Http(management(services).base, headers={"Authorization": f"Bearer {pair['accessToken']}"})
    me = client.get("/v1/auth/me").json
    assert (me["isSuperAdmin"], [project["role"] for project in me["projects"]]) == (True, ["admin"])


def test_a_browser_signs_in_gets_tokens_and_signs_out(shared: ServicesOnly) -> None:
    user, client = sign_up(shared), management(shared)
    started = client.post("/v1/auth/session", {"email": user.email, "password": PASSWORD})
    assert started.status == 204, started.text
    cookie = started.headers["set-cookie"].partition(";")[0]
    client.headers = {"Cookie": cookie}

    assert client.get("/v1/auth/me").json["user"]["id"] == user.id
    token = client.post("/v1/auth/session/token").json["accessToken"]
    person = Http(client.base, headers={"Authorization": f"Bearer {token}"})
    assert person.get("/v1/auth/me").status == 200
    ended = client.post("/v1/auth/session/end")
    assert (ended.status, "Max-Age=0" in ended.headers["set-cookie"]) == (204, True)
    assert (client.get("/v1/auth/me").status, person.get("/v1/auth/me").status) == (401, 401)


def test_an_access_token_of_a_browser_does_not_outlive_its_session(
    shared: ServicesOnly, later: Callable[..., None]
) -> None:
    user, client = sign_up(shared), management(shared)
    started = client.post("/v1/auth/session", {"email": user.email, "password": PASSWORD})
    client.headers = {"Cookie": started.headers["set-cookie"].partition(";")[0]}
    assert client.post("/v1/auth/session/token").json["expiresIn"] == 3600
    later(hours=11, minutes=50)
    made = client.post("/v1/auth/session/token").json

    assert 0 < made["expiresIn"] <= 600
    person = Http(client.base, headers={"Authorization": f"Bearer {made['accessToken']}"})
    assert person.get("/v1/auth/me").status == 200
    later(minutes=11)
    assert (client.get("/v1/auth/me").status, person.get("/v1/auth/me").status) == (401, 401)


def test_a_link_does_not_replace_the_second_factor(shared: ServicesOnly) -> None:
    user, browser = sign_up(shared), Browser(shared)
    _, codes = enable_second_factor(shared, user)
    page = browser.submit(browser.open(make_link(shared, user)), LINK, name="Ann", password="another long password")
    assert "Second factor" in page.text
    assert "penstock_session" not in browser.cookies
    done = browser.submit(page, "/v1/auth/page/code", code=codes[0])

    assert done.status == 303
    assert "penstock_session" in browser.cookies


def test_a_page_learns_whether_the_browser_is_signed_in_without_an_error(shared: ServicesOnly) -> None:
    user, client = sign_up(shared), management(shared)
    nobody = {"isSignedIn": False, "hasSingleSignOn": False}
    for cookie in ({}, {"Cookie": "penstock_session=nonsense"}):
        asked = Http(client.base, headers=cookie).get("/v1/auth/session")
        assert (asked.status, asked.json) == (200, nobody)
    started = client.post("/v1/auth/session", {"email": user.email, "password": PASSWORD})
    client.headers = {"Cookie": started.headers["set-cookie"].partition(";")[0]}

    assert client.get("/v1/auth/session").json == {**nobody, "isSignedIn": True}
    client.post("/v1/auth/session/end")
    assert client.get("/v1/auth/session").json == nobody


def test_a_browser_is_asked_for_the_second_factor(shared: ServicesOnly) -> None:
    user, client = sign_up(shared), management(shared)
    _, codes = enable_second_factor(shared, user)
    asked = client.post("/v1/auth/session", {"email": user.email, "password": PASSWORD})
    assert (asked.status, asked.json["mfaRequired"], "set-cookie" in asked.headers) == (200, True, False)

    done = client.post("/v1/auth/session/mfa", {"mfaToken": asked.json["mfaToken"], "code": codes[0]})
    assert (done.status, "penstock_session=" in done.headers["set-cookie"]) == (204, True)
    page = Browser(shared).sign_in(user)
    assert "Second factor" in page.text
    browser = Browser(shared)
    wrong = browser.submit(page, "/v1/auth/page/code", code="000000")
    assert (wrong.status, "The code is wrong" in wrong.text) == (401, True)
    assert browser.submit(wrong, "/v1/auth/page/code", code=codes[1]).status == 303


def test_a_session_does_nothing_for_a_page_of_another_site(shared: ServicesOnly) -> None:
    user, client = sign_up(shared), management(shared)
    login = {"email": user.email, "password": PASSWORD}
    cookie = client.post("/v1/auth/session", login).headers["set-cookie"].partition(";")[0]
    client.headers = {"Cookie": cookie, "Origin": "https://evil.example"}

    assert client.post("/v1/auth/session/token").status == 401
    assert client.post("/v1/auth/personal-tokens", {"description": "theirs"}).status == 401
    assert client.post("/v1/auth/session", login).status == 403
    ended = client.post("/v1/auth/session/end")
    assert (ended.status, "set-cookie" in ended.headers) == (403, False)
    client.headers = {"Cookie": cookie}
    assert client.get("/v1/auth/me").status == 200


@pytest.mark.parametrize("scheme", ["https", "ftp", ""])
def test_a_page_of_another_scheme_is_of_another_site(shared: ServicesOnly, scheme: str) -> None:
    user, client = sign_up(shared), management(shared)
    cookie = client.post("/v1/auth/session", {"email": user.email, "password": PASSWORD}).headers["set-cookie"]
    client.headers = {"Cookie": cookie.partition(";")[0], "Origin": f"{scheme}://127.0.0.1:{shared.port}"}

    assert client.post("/v1/auth/session/token").status == 401
    client.headers["Origin"] = f"http://127.0.0.1:{shared.port}"
    assert client.post("/v1/auth/session/token").status == 200


def test_a_browser_that_says_cross_site_needs_no_origin_to_be_refused(shared: ServicesOnly) -> None:
    user, client = sign_up(shared), management(shared)
    login = {"email": user.email, "password": PASSWORD}
    cookie = client.post("/v1/auth/session", login).headers["set-cookie"].partition(";")[0]
    client.headers = {"Cookie": cookie, "Sec-Fetch-Site": "cross-site"}

    assert client.post("/v1/auth/session/token").status == 401
    assert client.post("/v1/auth/session", login).status == 403
    client.headers["Sec-Fetch-Site"] = "same-origin"
    assert client.post("/v1/auth/session/token").status == 200


def test_a_session_is_secure_over_tls(services_behind_proxy: ServicesOnly) -> None:
    user, client = sign_up(services_behind_proxy), management(services_behind_proxy)
    client.headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}

    started = client.post("/v1/auth/session", {"email": user.email, "password": PASSWORD})
    assert "Secure" in started.headers["set-cookie"]


def test_attempts_from_one_address_are_limited_and_others_are_not(services_behind_proxy: ServicesOnly) -> None:
    user, stack = sign_up(services_behind_proxy), services_behind_proxy
    for number in range(100):
        refused = log_in(stack, f"nobody{number}@example.com", "x", **{"X-Forwarded-For": "1.1.1.1, 192.0.2.66"})
        assert refused.status == 401

    assert log_in(stack, user, **{"X-Forwarded-For": "192.0.2.66"}).status == 429
    assert log_in(stack, user, **{"X-Forwarded-For": "192.0.2.67"}).status == 200
    assert audited(stack, "login.locked")[0].address == "192.0.2.66"


def test_one_address_does_not_take_all_places_of_sign_ins_that_wait(
    services_behind_proxy: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "STARTED_PER_ADDRESS", 3)
    client, statuses = management(services_behind_proxy), []
    for address in (*["192.0.2.66"] * 4, "192.0.2.67"):
        client.headers = {"X-Forwarded-For": address}
        statuses.append(client.post("/v1/auth/device", {"clientId": "a-script"}).status)

    assert statuses == [200, 200, 200, 429, 200]


def test_a_sign_in_page_shows_what_went_wrong(shared: ServicesOnly) -> None:
    browser, hostile = Browser(shared), '"><script>alert(1)</script>@example.com'
    page = browser.send_form("/v1/auth/page/sign-in", email=hostile, password="wrong")

    assert (page.status, "The e-mail address or the password is wrong." in page.text) == (401, True)
    assert "<script>" not in page.text
    assert browser.cookies == {}
