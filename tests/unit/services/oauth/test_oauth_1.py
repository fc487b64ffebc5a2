"""Authorizations by OAuth 1."""

from __future__ import annotations

import json

from tests.support.providers import Browser, Provider1
from tests.unit.services.oauth.broker import COMPONENT, Broker

LOST = "This authorization was not started in this browser, has expired or is complete. Start it again."


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
