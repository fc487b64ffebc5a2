"""The way of a user to the provider and back, with everything that must not work on it."""

from __future__ import annotations

import json
from datetime import timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest

from penstock.foundation import clock
from penstock.foundation.secrets import PREFIX
from tests.support.api import Api
from tests.support.api import Response as Reply
from tests.support.contents import read_folder
from tests.support.providers import CLIENT, Browser, Provider
from tests.unit.services.fill import add_project
from tests.unit.services.oauth.broker import COMPONENT, RETURN, Broker

LOST = "This authorization was not started in this browser, has expired or is complete. Start it again."


def params_of(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def test_a_user_authorizes_and_the_component_gets_the_tokens(broker_on_each: Broker, provider: Provider) -> None:
    broker_on_each.register(provider.consumer())
    form = broker_on_each.form()
    back = broker_on_each.authorize(form)
    shown, given = broker_on_each.credential(form["id"]), broker_on_each.injected(form["id"])

    assert (back.status, back.headers["location"]) == (302, RETURN)
    assert (back.headers["cache-control"], back.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert shown["#data"].startswith(PREFIX)
    assert shown["#appSecret"].startswith(PREFIX)
    assert {name: given[name] for name in shown if not name.startswith("#")} == {
        name: shown[name] for name in shown if not name.startswith("#")
    }
    assert (given["appKey"], given["#appSecret"], given["oauthVersion"]) == (*CLIENT, "2.0")
    assert json.loads(given["#data"])["refresh_token"] in provider.valid


def test_the_provider_is_asked_with_pkce_and_a_state_that_the_browser_is_bound_to(
    broker: Broker, provider: Provider
) -> None:
    broker.register(provider.consumer())
    browser = Browser()
    asked = params_of(broker.start(browser, broker.form()).headers["location"])

    assert asked["scope"] == "read"
    assert asked["redirect_uri"] == f"{broker.http.base}/authorize/{COMPONENT}/callback"
    assert (len(asked["state"]), len(asked["code_challenge"]), asked["code_challenge_method"]) == (60, 43, "S256")
    [cookie] = browser.set_cookies
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=600" in cookie
    assert f"Path=/_svc/oauth/authorize/{COMPONENT}/callback" in cookie
    assert asked["state"] not in cookie


def test_placeholders_in_the_address_are_replaced_and_nothing_is_sent_twice(broker: Broker, provider: Provider) -> None:
    template = "?response_type=code&client_id=%%client_id%%&redirect_uri=%%redirect_uri%%&state=%%hash%%"
    broker.register(provider.consumer(authUrl=f"{provider.url}/authorize{template}", usePkce=False))
    location = broker.start(Browser(), broker.form()).headers["location"]

    assert [name for name, _ in parse_qsl(urlsplit(location).query)] == [
        "response_type",
        "client_id",
        "redirect_uri",
        "state",
    ]
    assert broker.authorize(broker.form()).status == 302


def test_a_state_works_once(broker_on_each: Broker, provider: Provider) -> None:
    broker_on_each.register(provider.consumer())
    browser = Browser()
    granted = browser.visit(broker_on_each.start(browser, broker_on_each.form()).headers["location"])
    known = dict(browser.cookies)
    first = browser.visit(granted.headers["location"])
    browser.cookies = known
    again = browser.visit(granted.headers["location"])

    assert (first.status, again.status, again.json["error"]) == (302, 400, LOST)
    assert again.json["message"] == LOST


def test_two_authorizations_in_one_browser_do_not_disturb_each_other(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    browser, forms = Browser(), [broker.form(), broker.form()]
    started = [broker.start(browser, form).headers["location"] for form in forms]

    for location in started:
        assert browser.visit(browser.visit(location).headers["location"]).status == 302
    assert all(broker.credential(form["id"]) for form in forms)
    assert browser.cookies == {}


def test_a_callback_without_the_cookie_or_with_that_of_another_browser_is_refused(
    broker: Broker, provider: Provider
) -> None:
    """An attacker who lets a victim visit the attacker's own callback binds nothing."""
    broker.register(provider.consumer())
    mine, other, form = Browser(), Browser(), broker.form()
    callback = mine.visit(broker.start(mine, form).headers["location"]).headers["location"]
    broker.start(other, broker.form())
    [(name, (path, _))] = mine.cookies.items()
    [(_, stolen)] = other.cookies.values()
    forged = Browser({name: (path, stolen)})

    for browser in (Browser(), other, forged, Browser({name: (path, "")})):
        refused = browser.visit(callback)
        assert (refused.status, refused.json["error"]) == (400, LOST)
    assert broker.http.get(f"/credentials/{COMPONENT}/{form['id']}").status == 404
    assert mine.visit(callback).status == 302


def test_the_state_of_one_component_does_not_work_for_another(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    browser = Browser()
    callback = browser.visit(broker.start(browser, broker.form()).headers["location"]).headers["location"]
    browser.cookies = {name: ("/", value) for name, (_, value) in browser.cookies.items()}

    elsewhere = browser.visit(callback.replace(COMPONENT, "keboola.ex-other"))
    assert (elsewhere.status, elsewhere.json["error"]) == (400, LOST)
    assert browser.visit(callback).status == 302


def test_what_a_project_started_is_stored_there_and_nowhere_else(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    theirs = add_project(broker.services)
    form = broker.form(token=theirs.token)

    assert broker.authorize(form).status == 302
    assert broker.http.get(f"/credentials/{COMPONENT}/{form['id']}").status == 404
    assert broker.services.service("oauth", theirs.token).get(f"/credentials/{COMPONENT}/{form['id']}").status == 200


def test_an_authorization_expires_after_ten_minutes(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.register(provider.consumer())
    browser = Browser()
    callback = browser.visit(broker.start(browser, broker.form()).headers["location"]).headers["location"]
    later = clock.now() + timedelta(minutes=10)
    monkeypatch.setattr(clock, "source", lambda: later)

    assert browser.visit(callback).json["error"] == LOST


def test_a_token_that_was_revoked_meanwhile_authorizes_nothing(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    storage = broker.services.service("storage")
    made = storage.post("/v2/storage/tokens", {"description": "link", "componentAccess": [COMPONENT]}).json
    browser, form = Browser(), broker.form(token=made["token"])
    callback = browser.visit(broker.start(browser, form).headers["location"]).headers["location"]
    storage.delete(f"/v2/storage/tokens/{made['id']}")
    asked = len(provider.seen)

    assert browser.visit(callback).status == 401
    assert len(provider.seen) == asked


def test_a_new_authorization_replaces_the_credential_of_the_same_id(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    form = broker.form()
    first = broker.authorize(form) and broker.data(form["id"])
    second = broker.authorize({**form, "authorizedFor": "somebody else"}) and broker.data(form["id"])

    assert first != second
    assert broker.credential(form["id"])["authorizedFor"] == "somebody else"


def test_a_user_who_refuses_is_told_so(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    provider.refuses = "access_denied"
    refused = broker.authorize(broker.form())

    assert refused.status == 400
    assert refused.json["error"] == "The authorization was not granted: access_denied. Start it again."


def test_a_text_of_the_provider_is_not_repeated(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    provider.refuses = "<script>alert(1)</script> CANARY"

    assert "CANARY" not in broker.authorize(broker.form()).text


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply.json({"error": "invalid_client", "hint": "CANARY"}, 401), "status 401, invalid_client"),
        (Reply.json({"error": "bad_verification_code"}), "bad_verification_code"),
        (Reply(500, b"CANARY"), "status 500"),
        (Reply.json({"error": "bad_verification_code", "access_token": None}), "bad_verification_code"),
        (Reply(200, b"error=bad_verification_code&access_token="), "bad_verification_code"),
        (Reply(200, b""), "responded with nothing"),
        (Reply(200, b" {}\n"), "responded with nothing"),
        (Reply(200, b"null"), "responded with nothing"),
        (Reply(200, b"KBC::ProjectSecure::CANARY"), "responded with an encrypted value"),
        (Reply(200, b"\xff\xfe"), "did not respond with text"),
        (Reply(200, b"x" * 200_000), "larger than the limit"),
        (Reply(302, headers={"Location": "http://127.0.0.1:1/CANARY"}), "status 302"),
    ],
)
def test_what_goes_wrong_at_the_provider_is_said_without_what_it_sent(
    broker: Broker, provider: Provider, reply: Reply, said: str
) -> None:
    broker.register(provider.consumer())
    provider.failing = [reply]
    form = broker.form()
    failed = broker.authorize(form)

    assert failed.status == 400
    assert said in failed.json["error"]
    assert "CANARY" not in failed.text
    assert broker.http.get(f"/credentials/{COMPONENT}/{form['id']}").status == 404


@pytest.mark.parametrize(
    "text", ["access_token=a&scope=b", "a text", '{"ok": true, "error": null, "user": {"access_token": "a"}}']
)
def test_the_text_of_the_provider_is_stored_as_it_is(broker: Broker, provider: Provider, text: str) -> None:
    broker.register(provider.consumer())
    provider.failing = [Reply(200, text.encode())]
    form = broker.form()

    assert broker.authorize(form).status == 302
    assert broker.injected(form["id"])["#data"] == text


def test_a_redirect_of_the_token_address_carries_no_secret_anywhere(broker: Broker, provider: Provider) -> None:
    with Api() as elsewhere:
        broker.register(provider.consumer())
        provider.failing = [Reply(307, headers={"Location": f"{elsewhere.url}/token"})]

        assert broker.authorize(broker.form()).status == 400
        assert elsewhere.seen == []


def test_a_private_provider_is_not_called_unless_the_operator_allows_it(broker: Broker, provider: Provider) -> None:
    private = provider.url.replace("127.0.0.1", "127.0.0.2")
    broker.register(provider.consumer(tokenUrl=f"{private}/token"))
    refused = broker.authorize(broker.form())

    assert refused.status == 400
    assert "127.0.0.2 is a private address" in refused.json["error"]


def test_nothing_in_the_database_can_complete_an_authorization(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    browser = Browser()
    state = params_of(broker.start(browser, broker.form()).headers["location"])["state"]
    [(_, session)] = browser.cookies.values()
    content = b"".join(read_folder(broker.stack.folder).values())

    assert state.encode() not in content
    assert session.encode() not in content
    assert CLIENT[1].encode() not in content
