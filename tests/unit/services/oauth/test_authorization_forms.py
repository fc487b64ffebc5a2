"""What the form and the callback of an authorization accept."""

from __future__ import annotations

import pytest

from tests.support.providers import Browser, Provider
from tests.unit.services.oauth.broker import COMPONENT, Broker


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
