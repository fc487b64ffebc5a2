"""Programs get tokens through a browser: PKCE and the device flow, with the attacks on both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest

from penstock.services.login.authorizing import make_challenge
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import Browser, as_person, audited, management, sign_up

VERIFIER = "v" * 20 + "-._~" + "0123456789" * 3
CALLBACK = "http://127.0.0.1:54321/callback"
REQUEST = {
    "responseType": "code",
    "clientId": "keboola-cli",
    "redirectUri": CALLBACK,
    "codeChallenge": make_challenge(VERIFIER),
    "codeChallengeMethod": "S256",
    "state": "a state & more",
}
EXCHANGE = {"clientId": "keboola-cli", "redirectUri": CALLBACK, "codeVerifier": VERIFIER}


def authorize(browser: Browser, decision: str = "allow", **changes: str) -> Response:
    page = browser.open(f"/v1/auth/authorize?{urlencode({**REQUEST, **changes})}")
    assert page.status == 200, page.text
    return browser.submit(page, "/v1/auth/authorize", decision=decision)


def get_code(stack: ServicesOnly, **changes: str) -> str:
    browser = Browser(stack)
    browser.sign_in(sign_up(stack))
    return sent_back(authorize(browser, **changes))["code"]


def sent_back(response: Response) -> dict[str, str]:
    assert response.status == 303, response.text
    return {name: values[0] for name, values in parse_qs(urlsplit(response.headers["location"]).query).items()}


def exchange(stack: ServicesOnly, **fields: str) -> Response:
    return management(stack).post("/v1/auth/token", {**EXCHANGE, **fields})


def test_a_program_gets_tokens_after_a_person_has_agreed(shared: ServicesOnly) -> None:
    user, browser = sign_up(shared), Browser(shared)
    first = browser.open(f"/v1/auth/authorize?{urlencode(REQUEST)}")
    assert (first.status, "/v1/auth/page/sign-in?next=" in first.headers["location"]) == (303, True)
    form = browser.open(first.headers["location"])
    signed = browser.submit(form, "/v1/auth/page/sign-in", email=user.email, password="correct horse battery")
    page = browser.open(signed.headers["location"])
    assert "<strong>keboola-cli</strong> at 127.0.0.1:54321" in page.text
    assert "form-action 'self' http://127.0.0.1:54321;" in page.headers["content-security-policy"]
    back = browser.submit(page, "/v1/auth/authorize", decision="allow")

    assert back.headers["location"].startswith(f"{CALLBACK}?code=kbc_ac_")
    assert sent_back(back)["state"] == "a state & more"
    pair = exchange(shared, code=sent_back(back)["code"], state="a state & more")
    assert pair.status == 200, pair.text
    assert as_person(shared, pair.json["accessToken"]).get("/v1/auth/me").json["user"]["id"] == user.id
    assert audited(shared, "login.authorized")[0].details["program"] == "keboola-cli"


def test_fields_may_be_written_as_the_standard_does(shared: ServicesOnly) -> None:
    names = {"clientId": "client_id", "redirectUri": "redirect_uri", "codeVerifier": "code_verifier"}
    body = {names[name]: value for name, value in EXCHANGE.items()}
    body |= {"code": get_code(shared), "grant_type": "authorization_code"}
    form = management(shared).send(
        "POST", "/v1/auth/token", urlencode(body).encode(), {"Content-Type": "application/x-www-form-urlencoded"}
    )

    assert form.status == 200, form.text


def test_the_addresses_of_official_programs_work_too(shared: ServicesOnly) -> None:
    there = Browser(shared).open(f"/admin/auth/pkce/authorize?{urlencode(REQUEST)}")
    assert (there.status, "/v1/auth/authorize?" in there.headers["location"]) == (303, True)

    pair = management(shared).post("/v1/auth/pkce/token", {**EXCHANGE, "code": get_code(shared)})
    assert pair.status == 200


def test_a_person_may_refuse(shared: ServicesOnly) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))

    assert sent_back(authorize(browser, "deny")) == {"error": "access_denied", "state": "a state & more"}


def test_a_code_that_comes_twice_revokes_what_it_got(shared: ServicesOnly) -> None:
    code = get_code(shared)
    pair = exchange(shared, code=code).json
    again = exchange(shared, code=code)

    assert (again.status, again.json["error"]) == (400, "invalid_grant")
    assert "was used before" in again.json["error_description"]
    assert as_person(shared, pair["accessToken"]).get("/v1/auth/me").status == 401
    refreshed = management(shared).post("/v1/auth/token/refresh", {"refreshToken": pair["refreshToken"]})
    assert refreshed.status == 400


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"codeVerifier": "w" * 43}, "another codeVerifier"),
        ({"codeVerifier": "short"}, "another codeVerifier"),
        ({"codeVerifier": make_challenge(VERIFIER)}, "another codeVerifier"),
        ({"redirectUri": "http://127.0.0.1:54322/callback"}, "another redirectUri"),
        ({"clientId": "another"}, "another clientId"),
        ({"state": "another"}, "another state"),
        ({"code": "kbc_ac_" + "0" * 60}, "is unknown here"),
    ],
)
def test_a_code_is_for_who_has_started_it(shared: ServicesOnly, changes: dict[str, str], problem: str) -> None:
    code = get_code(shared)
    refused = exchange(shared, **{"code": code, **changes})

    assert (refused.status, refused.json["error"], refused.json["params"]) == (
        400,
        "invalid_grant",
        {"error": "invalid_grant"},
    )
    assert problem in refused.json["error_description"]
    assert exchange(shared, code=code).status == 200


def test_a_code_expires(shared: ServicesOnly, later: Callable[..., None]) -> None:
    code = get_code(shared)
    later(minutes=6)

    assert "has expired" in exchange(shared, code=code).json["error_description"]


@pytest.mark.parametrize(
    "changes",
    [
        {"codeChallengeMethod": "plain"},
        {"codeChallengeMethod": ""},
        {"codeChallenge": ""},
        {"codeChallenge": VERIFIER},
        {"codeChallenge": "<" * 43},
    ],
)
def test_a_weaker_challenge_is_refused(shared: ServicesOnly, changes: dict[str, str]) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))
    for response in (
        browser.open(f"/v1/auth/authorize?{urlencode({**REQUEST, **changes})}"),
        browser.send_form("/v1/auth/authorize", **{**REQUEST, **changes}, decision="allow"),
    ):
        assert (response.status, "must be S256" in response.text) == (400, True)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/callback",
        "http://evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1@evil.example/",
        "http://127.0.0.1:80@evil.example/",
        "http://127.0.0.1\\@evil.example/",
        "http://localhost#@evil.example/",
        "//evil.example",
        "javascript:alert(1)",
        "http://127.0.0.1/\r\nSet-Cookie: a=b",
        "http://127.0.0.1/ x",
        "http://[",
        "http://localhost:;script-src",
        "http://localhost:99999/",
        "",
    ],
)
def test_nobody_is_sent_to_another_site(shared: ServicesOnly, address: str) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))
    for response in (
        browser.open(f"/v1/auth/authorize?{urlencode({**REQUEST, 'redirectUri': address})}"),
        browser.send_form("/v1/auth/authorize", **{**REQUEST, "redirectUri": address}, decision="allow"),
    ):
        assert response.status == 400
        assert "location" not in response.headers
        assert "redirectUri must be" in response.text


@pytest.mark.parametrize("address", ["http://localhost:1/", "http://[::1]:5/cb", "http://127.0.0.1/x?y=1"])
def test_addresses_of_this_machine_are_allowed(shared: ServicesOnly, address: str) -> None:
    assert get_code(shared, redirectUri=address)


def test_a_page_of_another_site_cannot_agree(shared: ServicesOnly) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))
    for origin in ("https://evil.example", "http://["):
        browser.origin = origin
        assert browser.send_form("/v1/auth/authorize", **REQUEST, decision="allow").status == 403


def test_what_a_program_calls_itself_is_shown_as_text(shared: ServicesOnly) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))
    hostile = "\"><script>alert(1)</script><b a='"
    page = browser.open(f"/v1/auth/authorize?{urlencode({**REQUEST, 'clientId': hostile, 'state': hostile})}")

    assert "<script>" not in page.text
    assert "&lt;script&gt;" in page.text
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("goes_to", ["https://evil.example", "//evil.example", "/\\evil", "/v1/auth/\r\nX: y", "/x"])
def test_signing_in_leads_nowhere_else(shared: ServicesOnly, goes_to: str) -> None:
    user, browser = sign_up(shared), Browser(shared)
    page = browser.open(f"/v1/auth/page/sign-in?next={quote(goes_to, safe='')}")
    done = browser.submit(page, "/v1/auth/page/sign-in", email=user.email, password="correct horse battery")

    assert done.headers["location"] == f"http://127.0.0.1:{shared.port}/_svc/storage/admin"


def test_signing_in_leads_to_the_screen_of_the_console_that_was_asked_for(shared: ServicesOnly) -> None:
    user, browser = sign_up(shared), Browser(shared)
    page = browser.open("/v1/auth/page/sign-in?next=/admin/projects/1/queue")
    done = browser.submit(page, "/v1/auth/page/sign-in", email=user.email, password="correct horse battery")

    assert done.headers["location"] == f"http://127.0.0.1:{shared.port}/_svc/storage/admin/projects/1/queue"


def start_device(stack: ServicesOnly) -> dict[str, Any]:
    response = management(stack).post(
        "/v1/auth/device", {"clientId": "keboola-cli", "scope": {"credentialType": "session"}}
    )
    assert response.status == 200, response.text
    return response.json


def poll(stack: ServicesOnly, device: dict[str, Any], **fields: str) -> Response:
    body = {"clientId": "keboola-cli", "deviceCode": device["deviceCode"], **fields}
    return management(stack).post("/v1/auth/device/token", body)


def decide(stack: ServicesOnly, device: dict[str, Any], decision: str = "allow") -> Response:
    browser = Browser(stack)
    browser.sign_in(sign_up(stack))
    typed = device["userCode"].lower().replace("-", " ")
    page = browser.send_form("/v1/auth/page/device", userCode=typed)
    assert "<strong>keboola-cli</strong>" in page.text, page.text
    return browser.submit(page, "/v1/auth/page/device", decision=decision)


def test_a_device_gets_tokens_after_a_person_has_entered_its_code(
    shared: ServicesOnly, later: Callable[..., None]
) -> None:
    device = start_device(shared)
    assert (device["expiresIn"], device["interval"]) == (900, 5)
    assert device["verificationUriComplete"] == f"{device['verificationUri']}?userCode={device['userCode']}"
    pending = poll(shared, device)
    assert (pending.status, pending.json["error"]) == (400, "authorization_pending")
    assert pending.json["params"] == {"error": "authorization_pending", "interval": 5}
    assert "The program is signed in" in decide(shared, device).text
    later(seconds=6)

    pair = poll(shared, device)
    assert (pair.status, pair.json["accessToken"][:7]) == (200, "kbc_at_")
    again = poll(shared, device)
    assert (again.status, again.json["error"]) == (400, "invalid_grant")


def test_polling_too_fast_is_slowed_down(shared: ServicesOnly, later: Callable[..., None]) -> None:
    device = start_device(shared)
    found = [poll(shared, device).json["params"] for _ in range(3)]

    assert found == [
        {"error": "authorization_pending", "interval": 5},
        {"error": "slow_down", "interval": 10},
        {"error": "slow_down", "interval": 15},
    ]
    later(seconds=16)
    assert poll(shared, device).json["error"] == "authorization_pending"


def test_a_refused_device_and_a_late_one_learn_why(shared: ServicesOnly, later: Callable[..., None]) -> None:
    refused, late = start_device(shared), start_device(shared)
    assert "The program is refused" in decide(shared, refused, "deny").text
    assert poll(shared, refused).json["error"] == "access_denied"
    later(minutes=16)
    assert poll(shared, late).json["error"] == "expired_token"


def test_a_device_code_is_of_one_program(shared: ServicesOnly) -> None:
    assert poll(shared, start_device(shared), clientId="another").json["error"] == "invalid_grant"


def test_guessing_codes_of_devices_is_limited(shared: ServicesOnly) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))
    statuses = [browser.send_form("/v1/auth/page/device", userCode=f"BBBB-BBB{x}").status for x in "CDFGHJKLMNPQ"]

    assert statuses == [400] * 10 + [429] * 2
    right = browser.send_form("/v1/auth/page/device", userCode=start_device(shared)["userCode"])
    assert right.status == 429, "whoever guesses on does not learn which code is right"


def test_a_right_code_does_not_allow_more_guesses(shared: ServicesOnly) -> None:
    browser = Browser(shared)
    browser.sign_in(sign_up(shared))
    own, page = start_device(shared)["userCode"], "/v1/auth/page/device"

    def guess(letters: str) -> list[int]:
        return [browser.send_form(page, userCode=f"BBBB-BBB{letter}").status for letter in letters]

    before = guess("CDFGHJKLM")
    assert [browser.send_form(page, userCode=own).status for _ in range(3)] == [200] * 3, "right ones do not count"
    assert before + guess("NP") == [400] * 10 + [429]


def test_only_the_first_person_decides_about_a_device(shared: ServicesOnly, later: Callable[..., None]) -> None:
    device, first, second = start_device(shared), Browser(shared), Browser(shared)
    user = sign_up(shared)
    first.sign_in(user)
    second.sign_in(sign_up(shared))
    asked = [each.send_form("/v1/auth/page/device", userCode=device["userCode"]) for each in (first, second)]
    assert "signed in" in first.submit(asked[0], "/v1/auth/page/device", decision="allow").text
    late = second.submit(asked[1], "/v1/auth/page/device", decision="allow")
    later(seconds=6)

    assert late.status == 400
    assert poll(shared, device).json["user"]["id"] == user.id


def test_a_device_page_asks_to_sign_in_first(shared: ServicesOnly) -> None:
    page = Browser(shared).open("/v1/auth/page/device?userCode=BCDF-GHJK")

    assert (page.status, page.headers["location"].partition("?")[2]) == (
        303,
        "next=%2Fv1%2Fauth%2Fpage%2Fdevice%3FuserCode%3DBCDF-GHJK",
    )
