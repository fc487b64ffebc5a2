"""The applications of the stack, as managers register them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from penstock.foundation.secrets import PREFIX
from penstock.services.oauth.operations import consumers
from penstock.services.oauth.operations.sealing import consumer_scope
from penstock.services.oauth.store import consumers as store
from tests.support.contents import read_folder
from tests.support.providers import CLIENT, Provider1
from tests.unit.services.oauth.broker import COMPONENT, Broker

SECRET = "canary-20d5fe"
CAMEL = {
    "componentId": COMPONENT,
    "friendlyName": "Example",
    "oauthVersion": "2.0",
    "authUrl": "https://p.example.com/authorize?client_id=%%client_id%%",
    "tokenUrl": "https://p.example.com/token",
    "appKey": "key",
    "appSecret": SECRET,
}


def test_a_consumer_is_registered_read_changed_and_removed(broker_on_each: Broker) -> None:
    manager = broker_on_each.manager
    made = broker_on_each.register(CAMEL)
    changed = manager.send("PATCH", f"/manage/{COMPONENT}", b'{"friendlyName": "Other", "restrictCustomAuth": true}')

    assert made["appSecret"].startswith(PREFIX)
    assert made["appSecretDocker"].startswith(PREFIX)
    assert {name: made[name] for name in CAMEL if name != "appSecret"} == {
        name: value for name, value in CAMEL.items() if name != "appSecret"
    }
    assert changed.json == {**made, "friendlyName": "Other", "restrictCustomAuth": True}
    assert manager.get(f"/manage/{COMPONENT}").json == changed.json
    assert manager.get("/manage").json == [changed.json]
    assert manager.post("/manage", CAMEL).status == 422
    assert manager.delete(f"/manage/{COMPONENT}").status == 204
    for gone in (manager.get(f"/manage/{COMPONENT}"), manager.delete(f"/manage/{COMPONENT}")):
        assert gone.status == 404
    assert manager.send("PATCH", f"/manage/{COMPONENT}", b"{}").status == 404


def test_both_spellings_of_names_are_accepted(broker: Broker) -> None:
    with Provider1() as provider:
        made = broker.register(provider.consumer(COMPONENT, restrict_custom_auth=True))

    assert (made["componentId"], made["oauthVersion"], made["appKey"]) == (COMPONENT, "1.0", CLIENT[0])
    assert made["requestTokenUrl"] == f"{provider.url}/request?scope=read%20all"
    assert made["restrictCustomAuth"] is True


def test_a_changed_secret_is_that_of_later_credentials(broker: Broker) -> None:
    broker.register(CAMEL)
    before = broker.add("{}")
    broker.manager.send("PATCH", f"/manage/{COMPONENT}", b'{"app_secret": "newer"}')
    after = broker.add("{}")

    assert (broker.injected(before)["#appSecret"], broker.injected(after)["#appSecret"]) == (SECRET, "newer")


def test_a_changed_secret_is_that_of_components_after_a_rotation_of_keys(broker: Broker) -> None:
    """It wraps each cipher again, so that two of one secret differ."""
    broker.register(CAMEL)
    with broker.stack.database.writing() as tx:
        row = consumers.get_consumer(tx, COMPONENT)
        again = broker.stack.cipher.encrypt_text(SECRET, consumer_scope(COMPONENT))
        store.change_consumer(tx, msgspec.structs.replace(row, app_secret_docker=again))
    broker.manager.send("PATCH", f"/manage/{COMPONENT}", b'{"appSecret": "newer"}')

    assert again != row.app_secret
    assert broker.injected(broker.add("{}"))["#appSecret"] == "newer"


def test_components_may_get_another_secret(broker: Broker) -> None:
    broker.register({**CAMEL, "appSecretDocker": "for components"})
    broker.manager.send("PATCH", f"/manage/{COMPONENT}", b'{"appSecret": "newer"}')

    assert broker.injected(broker.add("{}"))["#appSecret"] == "for components"


def test_no_response_and_no_file_holds_the_secret(broker: Broker) -> None:
    broker.register(CAMEL)
    texts = [broker.manager.get(path).text for path in ("/manage", f"/manage/{COMPONENT}")]
    files = read_folder(broker.stack.folder)

    assert not [text for text in texts if SECRET in text]
    assert not [path for path, content in files.items() if SECRET.encode() in content]


@pytest.mark.parametrize(
    "change",
    [
        {"authUrl": "javascript:alert(1)"},
        {"tokenUrl": "ftp://p.example.com"},
        {"tokenUrl": "https://user:pw@p.example.com"},
        {"oauthVersion": "3.0"},
        {"oauthVersion": "1.0"},
        {"appKey": ""},
        {"componentId": None},
        {"restrictCustomAuth": "perhaps"},
        {"friendlyName": ["x"]},
    ],
)
def test_a_consumer_that_could_not_work_is_refused(broker: Broker, change: dict[str, Any]) -> None:
    refused = broker.manager.post("/manage", {**CAMEL, **change})

    assert refused.status == 400, refused.text
    assert broker.manager.get("/manage").json == []
