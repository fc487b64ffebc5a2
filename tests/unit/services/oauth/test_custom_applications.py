"""Applications that a user brings, instead of that of the stack."""

from __future__ import annotations

import pytest

from penstock.foundation.secrets import Scope
from tests.support.api import Api
from tests.support.providers import CLIENT, Browser, Provider
from tests.unit.services.oauth.broker import COMPONENT, Broker

CUSTOM = {"appKey": CLIENT[0], "appSecret": CLIENT[1]}
CUSTOM_ADDED = {"appKey": CLIENT[0], "#appSecret": CLIENT[1]}


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
