"""The page on which a person lets a program in, and the attacks on it."""

from __future__ import annotations

import re

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.login.oauth_clients.asking import (
    CALLBACK,
    FIELDS,
    allow,
    decide,
    exchange,
    open_page,
    registered,
    sent_back,
    signed_in,
)
from tests.unit.services.login.people import (
    Browser,
    audited,
    enable_second_factor,
    sign_up,
)


def test_a_person_who_is_not_signed_in_signs_in_first_and_comes_back(shared: ServicesOnly) -> None:
    browser, user = Browser(shared), sign_up(shared)
    first = open_page(browser, registered(shared), state="s" * 1_500)
    form = browser.open(first.headers["location"])
    done = browser.submit(form, "/v1/auth/page/sign-in", email=user.email, password="correct horse battery")
    page = browser.open(done.headers["location"])

    assert (first.status, done.status) == (303, 303)
    assert "<strong>An agent</strong>" in page.text
    assert sent_back(decide(browser, page))["state"] == "s" * 1_500


def test_the_page_says_who_asks_and_cannot_be_framed(shared: ServicesOnly) -> None:
    hostile = "\"><script>alert(1)</script><b a='"
    page = open_page(signed_in(shared), registered(shared, client_name=hostile), state=hostile)

    assert "<script>" not in page.text
    assert "&lt;script&gt;" in page.text
    assert "<strong>127.0.0.1:54321</strong>" in page.text
    assert '<option value="read" selected>' in page.text
    assert "strong,q,option{unicode-bidi:isolate}" in page.text  # a name does not turn the words around it
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' http://127.0.0.1:54321;" in policy
    assert page.headers["x-frame-options"] == "DENY"


def test_a_person_may_refuse(shared: ServicesOnly) -> None:
    browser = signed_in(shared)
    back = sent_back(decide(browser, open_page(browser, registered(shared)), decision="deny"))

    assert back == {
        "error": "access_denied",
        "state": "a state & more",
        "iss": f"http://127.0.0.1:{shared.port}/_svc/storage",
    }
    assert audited(shared, "login.denied")[0].details["program"] == "An agent"


def test_a_form_without_the_key_of_the_page_is_refused(shared: ServicesOnly) -> None:
    browser, client_id = signed_in(shared), registered(shared)
    fields = {**FIELDS, "client_id": client_id, "decision": "allow", "project": str(shared.project.id)}
    for key in ({}, {"key": ""}, {"key": "0" * 64}, {"key": "ä"}):
        response = browser.send_form("/oauth/authorize", **fields, **key)
        assert (response.status, "location" in response.headers) == (403, False), response.text


def test_the_key_of_a_page_is_of_one_session_and_one_request(shared: ServicesOnly) -> None:
    victim, attacker = signed_in(shared), signed_in(shared)
    client_id = registered(shared, CALLBACK, "https://other.example/callback")
    page = open_page(attacker, client_id)
    assert decide(victim, page).status == 403

    own = open_page(victim, client_id)
    key = re.findall(r'name="key" value="([0-9a-f]{64})"', own.text)[0]
    changed = {**FIELDS, "client_id": client_id, "redirect_uri": "https://other.example/callback"}
    chosen = {"decision": "allow", "project": str(shared.project.id), "key": key}
    assert victim.send_form("/oauth/authorize", **changed, **chosen).status == 403


def test_a_page_of_another_site_cannot_agree(shared: ServicesOnly) -> None:
    browser = signed_in(shared)
    page = open_page(browser, registered(shared))
    browser.origin = "https://evil.example"

    assert decide(browser, page).status == 403


def test_only_projects_of_the_person_can_be_chosen(shared: ServicesOnly) -> None:
    other, browser = add_project(shared, "Not hers"), signed_in(shared)
    page = open_page(browser, registered(shared))

    assert "Not hers" not in page.text
    for project in (str(other.caller.project_id), "0", "-1", "x"):
        assert decide(browser, page, project=project).status == 400


def test_who_is_in_no_project_has_nothing_to_choose(shared: ServicesOnly) -> None:
    page = open_page(signed_in(shared, sign_up(shared, None)), registered(shared))

    assert (page.status, "is not a member of any project" in page.text) == (200, True)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"redirect_uri": "https://evil.example/"}, "not one of the addresses"),
        ({"redirect_uri": f"{CALLBACK}/more"}, "not one of the addresses"),
        ({"redirect_uri": "http://localhost:54321/callback"}, "not one of the addresses"),
        ({"client_id": "kbc_cl_unknown"}, "is not registered here"),
        ({"response_type": "token"}, "response_type must be"),
        ({"response_type": ""}, "response_type must be"),
        ({"code_challenge_method": "plain"}, "must be S256"),
        ({"code_challenge_method": ""}, "must be S256"),
        ({"code_challenge": ""}, "must be S256"),
        ({"resource": "https://other.example/mcp"}, "There is no resource"),
        ({"resource": "http://["}, "There is no resource"),
        ({"state": "x" * 2_001}, "state"),
    ],
)
def test_a_wrong_request_leads_nowhere(shared: ServicesOnly, changes: dict[str, str], problem: str) -> None:
    browser, client_id = signed_in(shared), registered(shared)
    for response in (
        open_page(browser, **{"client_id": client_id, **changes}),
        open_page(Browser(shared), **{"client_id": client_id, **changes}),
    ):
        assert (response.status, "location" in response.headers) == (400, False), response.text
        assert problem in response.text


def test_the_port_of_the_own_machine_may_differ(shared: ServicesOnly) -> None:
    client_id = registered(shared, "http://127.0.0.1/callback")
    browser, address = signed_in(shared), "http://127.0.0.1:6543/callback"

    assert (
        exchange(shared, client_id, allow(browser, client_id, redirect_uri=address), redirect_uri=address).status == 200
    )


def test_a_second_factor_is_asked_for_before_the_page(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    enable_second_factor(shared, user)
    browser = Browser(shared)
    assert "Second factor" in browser.sign_in(user).text

    assert open_page(browser, registered(shared)).status == 303
