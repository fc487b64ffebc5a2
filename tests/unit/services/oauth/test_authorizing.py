"""The way of a user to the provider and back, with everything that must not work on it."""

from __future__ import annotations

import json
from datetime import timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest

from penstock.foundation import clock
from penstock.foundation.secrets import PREFIX, Scope
from tests.support.api import Api
from tests.support.api import Response as Reply
from tests.support.providers import CLIENT, Browser, Provider, Provider1
from tests.unit.services.fill import add_project
from tests.unit.services.oauth.broker import COMPONENT, RETURN, Broker

LOST = "This authorization was not started in this browser, has expired or is complete. Start it again."
CUSTOM = {"appKey": CLIENT[0], "appSecret": CLIENT[1]}
CUSTOM_ADDED = {"appKey": CLIENT[0], "#appSecret": CLIENT[1]}


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


def test_a_custom_application_is_used_instead_of_the_stacks(broker: Broker, provider: Provider) -> None:
    with Provider() as other:
        broker.register(other.consumer(appKey="stack-key", appSecret="stack-secret"))
        form = broker.form(**CUSTOM, authUrl=f"{provider.url}/authorize", tokenUrl=f"{provider.url}/token")

        assert broker.authorize(form).status == 302
        assert other.seen == []
        assert broker.injected(form["id"])["#appSecret"] == CLIENT[1]


@pytest.mark.parametrize("given", [["authUrl"], ["tokenUrl"], ["tokenUrl", "appKey"], ["tokenUrl", "appSecret"]])
def test_the_secret_of_the_stacks_application_is_not_sent_to_an_address_of_a_user(
    broker: Broker, provider: Provider, given: list[str]
) -> None:
    broker.register(provider.consumer())
    with Api() as evil:
        custom = {**CUSTOM, "authUrl": f"{evil.url}/a", "tokenUrl": f"{evil.url}/t"}
        refused = broker.start(Browser(), broker.form(**{name: custom[name] for name in given}))

        assert refused.status == 400
        assert "needs appKey and appSecret" in refused.json["error"]


def test_the_secret_of_a_custom_application_may_be_a_cipher_of_the_encryption_service(
    broker: Broker, provider: Provider
) -> None:
    broker.register(provider.consumer(appKey="stack-key", appSecret="stack-secret"))
    form = broker.form(appKey=CLIENT[0], appSecret=broker.encrypt(CLIENT[1]))

    assert broker.authorize(form).status == 302
    assert broker.injected(form["id"])["#appSecret"] == CLIENT[1]


@pytest.mark.parametrize("field", ["#data", "#appSecret"])
def test_a_cipher_that_the_broker_has_shown_is_not_decrypted_for_an_address_of_a_user(
    broker: Broker, provider: Provider, field: str
) -> None:
    broker.register(provider.consumer(appSecretDocker="for components"))
    shown = [broker.credential(broker.add({"access_token": "t"})), broker.credential(broker.add("x", **CUSTOM_ADDED))]
    with Provider() as evil:
        custom = {"appKey": CLIENT[0], "authUrl": f"{evil.url}/authorize", "tokenUrl": f"{evil.url}/token"}
        refused = [broker.start(Browser(), broker.form(**custom, appSecret=each[field])) for each in shown]

        assert [each.status for each in refused] == [400, 400]
        assert all("Enter the secret again" in each.json["error"] for each in refused)
        assert evil.seen == []


@pytest.mark.parametrize("cipher", ["other component", "consumer", "configuration", "altered"])
def test_a_cipher_for_something_else_is_not_decrypted(broker: Broker, provider: Provider, cipher: str) -> None:
    consumer, project_id = broker.register(provider.consumer()), broker.project.caller.project_id
    bound = Scope(project_id, COMPONENT, hosts="api.example.com")
    ciphers = {
        "other component": broker.encrypt("x", "keboola.flow"),
        "consumer": consumer["appSecret"],
        "configuration": broker.stack.cipher.encrypt_text("x", bound),
        "altered": broker.encrypt("x")[:-8] + "AAAAAAA=",
    }

    assert broker.start(Browser(), broker.form(appKey="k", appSecret=ciphers[cipher])).status == 400


def test_custom_applications_can_be_forbidden(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer(restrictCustomAuth=True))
    refused = broker.start(Browser(), broker.form(**CUSTOM))

    assert refused.status == 400
    assert "with the application of this stack only" in refused.json["error"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "//evil.example.com",
        "/relative",
        "https://ui.example.com\\@evil.example.com/",
        "https://user:password@evil.example.com/",
        "https://ui.example.com/\r\nSet-Cookie: a=b",
        "data:text/html,x",
        "",
    ],
)
def test_a_user_is_sent_on_to_plain_addresses_only(broker: Broker, provider: Provider, url: str) -> None:
    broker.register(provider.consumer())
    refused = broker.start(Browser(), broker.form(returnUrl=url))

    assert refused.status == 400
    assert "set-cookie" not in refused.headers


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("https://ui.example.com", "https://ui.example.com"),
        ("https://ui.example.com/a%20b?c=d#/é=1", "https://ui.example.com/a%20b?c=d#/%C3%A9=1"),
        ("https://ui.example.com/žluť?q=ů", "https://ui.example.com/%C5%BElu%C5%A5?q=%C5%AF"),
        ("https://bücher.example/a b#c d%20", "https://xn--bcher-kva.example/a%20b#c%20d%20"),
    ],
)
def test_a_user_is_sent_on_to_an_address_in_any_script(
    broker: Broker, provider: Provider, url: str, location: str
) -> None:
    broker.register(provider.consumer())
    back = broker.authorize(broker.form(returnUrl=url))

    assert (back.status, back.headers["location"]) == (302, location)


def test_the_address_of_a_provider_may_be_in_any_script(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer(authUrl="https://p.example.com/čtení?scope=psaní"))
    location = broker.start(Browser(), broker.form()).headers["location"]

    assert location.startswith("https://p.example.com/%C4%8Dten%C3%AD?scope=psan%C3%AD&client_id=")


@pytest.mark.parametrize("missing", ["id", "authorizedFor", "token", "returnUrl"])
def test_a_form_without_a_field_says_which(broker: Broker, provider: Provider, missing: str) -> None:
    broker.register(provider.consumer())
    form = broker.form()
    del form[missing]
    refused = broker.start(Browser(), form)

    assert refused.status == 400
    assert missing in refused.json["error"]


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"\xff", 400), (b"{", 400), (b"[1]", 400), (b"id[a][b]=1", 400), (b"x" * 100_001, 413), (b"", 400)],
)
def test_a_body_that_is_not_such_a_form_is_refused(broker: Broker, content: bytes, status: int) -> None:
    for kind in ("application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", "x"):
        refused = broker.http.send("POST", f"/authorize/{COMPONENT}", content, {"Content-Type": kind})
        assert refused.status == status, f"{kind}: {refused.text}"


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "é" * 200, "../..", "'; DROP TABLE oauth_credentials"])
def test_any_text_may_be_an_id_or_is_refused(broker_on_each: Broker, provider: Provider, text: str) -> None:
    broker_on_each.register(provider.consumer())
    form = broker_on_each.form() | {"id": text, "authorizedFor": text}
    fields = {name: value.encode("utf-8", "surrogatepass") for name, value in form.items()}
    browser = Browser()
    started = broker_on_each.start(browser, fields)

    assert started.status in (302, 400), started.text
    if started.status == 302:
        back = browser.visit(browser.visit(started.headers["location"]).headers["location"])
        assert back.status == 302, back.text


@pytest.mark.parametrize(
    "query", ["", "state=%00", "state=%ff&code=x", "state[]=a", "state=a&state=b", "oauth_token=x"]
)
def test_a_callback_that_nobody_started_is_refused(broker_on_each: Broker, query: str) -> None:
    assert broker_on_each.http.get(f"/authorize/{COMPONENT}/callback?{query}").status == 400


@pytest.mark.parametrize(
    ("change", "component", "status"),
    [
        ({"token": "1-2-nobody"}, COMPONENT, 401),
        ({}, "nobody.knows-it", 404),
        ({}, "keboola.flow", 404),
        ({"branchId": "999999"}, COMPONENT, 404),
    ],
)
def test_nothing_starts_without_a_token_a_component_and_its_application(
    broker: Broker, provider: Provider, change: dict[str, str], component: str, status: int
) -> None:
    broker.register(provider.consumer())

    assert broker.start(Browser(), broker.form(**change), component).status == status


def test_a_token_for_another_component_starts_nothing(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    storage = broker.services.service("storage")
    made = storage.post("/v2/storage/tokens", {"description": "t", "componentAccess": ["keboola.flow"]}).json

    assert broker.start(Browser(), broker.form(token=made["token"])).status == 403


def test_oauth_1_signs_every_request_and_stores_the_token(broker_on_each: Broker) -> None:
    with Provider1() as provider:
        broker_on_each.register(provider.consumer(COMPONENT))
        form = broker_on_each.form()

        assert broker_on_each.authorize(form).status == 302
        given = broker_on_each.injected(form["id"])
    assert given["oauthVersion"] == "1.0"
    assert json.loads(given["#data"]) == {
        "oauth_token": "user-token",
        "oauth_token_secret": "user+secret",
        "user_id": "7",
    }


def test_oauth_1_has_the_same_protection(broker: Broker) -> None:
    with Provider1() as provider:
        broker.register(provider.consumer(COMPONENT))
        browser = Browser()
        callback = browser.visit(broker.start(browser, broker.form()).headers["location"]).headers["location"]

        assert Browser().visit(callback).json["error"] == LOST
        assert browser.visit(callback).status == 302
        assert browser.visit(callback).json["error"] == LOST
        provider.refuses = True
        assert "denied" in broker.authorize(broker.form()).json["error"]


def test_oauth_1_with_a_wrong_secret_does_not_begin(broker: Broker) -> None:
    with Provider1() as provider:
        broker.register(provider.consumer(COMPONENT, app_secret="wrong"))
        refused = broker.start(Browser(), broker.form())

    assert refused.status == 400
    assert "status 401" in refused.json["error"]


def test_nothing_in_the_database_can_complete_an_authorization(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    browser = Browser()
    state = params_of(broker.start(browser, broker.form()).headers["location"])["state"]
    [(_, session)] = browser.cookies.values()
    content = b"".join(path.read_bytes() for path in broker.stack.folder.rglob("metadata.sqlite*"))

    assert state.encode() not in content
    assert session.encode() not in content
    assert CLIENT[1].encode() not in content
