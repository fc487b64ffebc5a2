"""Access tokens that expire: refreshed once, stored before they are used, and not lost by failures."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import timedelta

import pytest

from penstock.foundation import clock
from penstock.foundation.errors import AppError
from penstock.services.oauth.errors import RefreshFailed
from penstock.services.oauth.operations import journal, refreshing
from tests.support.api import Response
from tests.support.providers import CLIENT, Provider, Rotation
from tests.unit.services.oauth.broker import COMPONENT, Broker

CUSTOM = {"appKey": CLIENT[0], "appSecret": CLIENT[1]}
NOTHING: Mapping[str, str] = {}


def authorized(
    broker: Broker,
    provider: Provider,
    *,
    refreshes: bool = True,
    custom: Mapping[str, str] = NOTHING,
    **consumer: str,
) -> str:
    """A credential whose token is about to expire."""
    broker.register(provider.consumer(refreshTokens=refreshes, **consumer))
    form = broker.form(**custom)
    provider.expires_in = 60
    assert broker.authorize(form).status == 302
    provider.expires_in = 3600
    return form["id"]


@pytest.mark.parametrize("rotation", ["none", "grace", "strict"])
def test_a_token_that_expires_soon_is_refreshed_and_stored_before_it_is_used(
    broker_on_each: Broker, provider: Provider, rotation: Rotation
) -> None:
    provider.rotation = rotation
    credential = authorized(broker_on_each, provider)
    first, second = broker_on_each.data(credential), broker_on_each.data(credential)

    assert first == second
    assert provider.refreshes == 1
    assert first["refresh_token"] in provider.valid
    assert first["token_type"] == "bearer"
    assert not list((broker_on_each.stack.folder / "oauth").iterdir())


def test_a_rotated_token_is_refreshed_again_and_again(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.rotation = "strict"
    credential, now = authorized(broker, provider), clock.now()
    seen: set[str] = set()
    for hour in range(5):
        monkeypatch.setattr(clock, "source", lambda hour=hour: now + timedelta(hours=hour))
        seen.add(broker.data(credential)["refresh_token"])

    assert (provider.refreshes, len(seen)) == (5, 5)


def test_jobs_at_the_same_time_refresh_once(broker_on_each: Broker, provider: Provider) -> None:
    provider.rotation, provider.delay = "strict", 0.3
    credential, found = authorized(broker_on_each, provider), list[str]()
    threads = [
        threading.Thread(target=lambda: found.append(broker_on_each.data(credential)["access_token"])) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (provider.refreshes, len(found), len(set(found))) == (1, 6, 1)


def test_the_broker_leaves_tokens_alone_unless_the_consumer_says_otherwise(broker: Broker, provider: Provider) -> None:
    """Components refresh tokens themselves: two who rotate them would end each other's."""
    credential = authorized(broker, provider, refreshes=False)

    assert broker.data(credential)
    assert provider.refreshes == 0


def test_a_token_whose_expiry_is_unknown_or_that_cannot_be_refreshed_is_left_alone(
    broker: Broker, provider: Provider
) -> None:
    broker.register(provider.consumer(refreshTokens=True))
    for data in (
        {"access_token": "a", "refresh_token": "b"},
        {"access_token": "a", "expires_in": 1},
        {"expires_in": []},
    ):
        assert broker.data(broker.add(data)) == data
    assert broker.injected(broker.add("access_token=a&expires_in=1"))["#data"] == "access_token=a&expires_in=1"
    assert provider.refreshes == 0


@pytest.mark.parametrize(
    "failing",
    [
        Response(503),
        Response(200, b"x", cut=0),
        Response.json({"error": "x"}, 400),
        Response(200, b"<html>Log in</html>"),
        Response.json({"expires_in": 3600, "access_token": ""}),
        Response.json({"expires_in": 3600, "access_token": ["x"]}),
        Response(200, b"expires_in=3600"),
    ],
)
def test_while_the_provider_fails_the_token_is_used_until_it_expires(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch, failing: Response
) -> None:
    credential, now = authorized(broker, provider), clock.now()
    provider.failing = [failing, failing]
    valid = broker.data(credential)
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(minutes=2))
    with pytest.raises(RefreshFailed, match="has expired"):
        broker.data(credential)
    refreshed = broker.data(credential)

    assert valid["access_token"] != refreshed["access_token"]
    assert provider.refreshes == 1


def test_tokens_may_be_returned_as_a_form(broker: Broker, provider: Provider) -> None:
    credential = authorized(broker, provider)
    provider.failing = [Response(200, b"access_token=newer&refresh_token=rotated&expires_in=3600")]
    found = broker.data(credential)

    assert (found["access_token"], found["refresh_token"], found["token_type"]) == ("newer", "rotated", "bearer")
    assert broker.data(credential) == found


def test_a_refresh_goes_to_the_address_of_the_application_that_was_authorized(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Provider() as other:
        broker.register(other.consumer(refreshTokens=True, appKey="k", appSecret="s"))
        custom = {"appKey": provider.consumer()["appKey"], "appSecret": provider.consumer()["appSecret"]}
        form = broker.form(**custom, authUrl=f"{provider.url}/authorize", tokenUrl=f"{provider.url}/token")
        assert broker.authorize(form).status == 302
        later = clock.now() + timedelta(hours=2)
        monkeypatch.setattr(clock, "source", lambda: later)
        broker.data(form["id"])

        assert provider.refreshes == 1
        assert other.seen == []


def test_the_stacks_application_refreshes_with_its_own_secret(broker: Broker, provider: Provider) -> None:
    """The provider knows no other: the one for components is not sent to it."""
    credential = authorized(broker, provider, appSecretDocker="for components")

    assert broker.injected(credential)["#appSecret"] == "for components"
    assert provider.refreshes == 1


def test_a_custom_application_at_the_stacks_address_refreshes_with_its_own_secret(
    broker: Broker, provider: Provider
) -> None:
    credential = authorized(broker, provider, appKey="k", appSecret="s", custom=CUSTOM)

    assert broker.data(credential)
    assert provider.refreshes == 1


def test_a_response_that_was_not_committed_is_found_in_the_journal(
    broker_on_each: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process ended after the provider had responded: its token is used, and no other is requested."""
    provider.rotation = "strict"
    credentials = [authorized(broker_on_each, provider)]
    broker_on_each.manager.delete(f"/manage/{COMPONENT}")
    credentials.append(authorized(broker_on_each, provider))
    with monkeypatch.context() as patch:
        patch.setattr(refreshing, "_commit", end_process)
        for credential in credentials:
            with pytest.raises(ProcessEnded):
                broker_on_each.data(credential)
    content = b"".join(path.read_bytes() for path in (broker_on_each.stack.folder / journal.FOLDER).iterdir())

    assert not [token for token in provider.valid if token.encode() in content]
    assert broker_on_each.data(credentials[0])["refresh_token"] in provider.valid
    refreshing.recover(broker_on_each.stack)
    assert not list((broker_on_each.stack.folder / journal.FOLDER).iterdir())
    assert broker_on_each.data(credentials[1])["refresh_token"] in provider.valid
    assert provider.refreshes == 2


def test_a_credential_that_is_replaced_meanwhile_keeps_its_new_tokens(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    credential = authorized(broker, provider)
    with monkeypatch.context() as patch:
        patch.setattr(refreshing, "_commit", end_process)
        with pytest.raises(ProcessEnded):
            broker.data(credential)
    broker.authorize(broker.form(id=credential))
    new = broker.data(credential)
    refreshing.recover(broker.stack)

    assert broker.data(credential) == new
    assert not list((broker.stack.folder / journal.FOLDER).iterdir())


def test_a_credential_that_is_deleted_meanwhile_stays_deleted(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    credential = authorized(broker, provider)
    with monkeypatch.context() as patch:
        patch.setattr(refreshing, "_commit", end_process)
        with pytest.raises(ProcessEnded):
            broker.data(credential)
    broker.http.delete(f"/credentials/{COMPONENT}/{credential}")
    refreshing.recover(broker.stack)

    with pytest.raises(AppError, match="do not exist"):
        broker.data(credential)


class ProcessEnded(BaseException):
    """Stands for a kill: nothing after it is carried out."""


def end_process(*_: object) -> None:
    raise ProcessEnded
