"""Credentials of a deleted branch, and authorizations that nobody completes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from penstock.app import list_reactions
from penstock.foundation import clock
from penstock.foundation.events import EventWorker
from penstock.services.oauth.operations import authorizing
from tests.support.providers import Browser, Provider
from tests.unit.services.oauth.broker import COMPONENT, Broker
from tests.unit.services.vault.test_reactions import create_branch, delete_branch


def count_pending(broker: Broker) -> int:
    with broker.stack.database.reading() as tx:
        return tx.value(text("SELECT count(*) FROM oauth_authorizations"))


def test_the_credentials_of_a_deleted_branch_are_removed(broker_on_each: Broker) -> None:
    storage = broker_on_each.services.service("storage")
    branch = create_branch(storage, f"gone-{id(broker_on_each)}")
    stays, goes = broker_on_each.add("{}"), broker_on_each.add("{}", branchId=branch)
    delete_branch(storage, branch)
    worker = EventWorker(broker_on_each.stack.database, "w", list_reactions())
    while worker.run_one():
        pass

    left = [each["id"] for each in broker_on_each.http.get(f"/credentials/{COMPONENT}").json]
    assert stays in left
    assert goes not in left


def test_authorizations_that_nobody_completes_are_removed(
    broker_on_each: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker_on_each.register(provider.consumer())
    broker_on_each.start(Browser(), broker_on_each.form())
    pending, now = count_pending(broker_on_each), clock.now()
    authorizing.remove_expired(broker_on_each.stack)
    still = count_pending(broker_on_each)
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(minutes=11))
    authorizing.remove_expired(broker_on_each.stack)

    assert pending == still > 0
    assert count_pending(broker_on_each) == 0


def test_a_project_has_a_limited_number_of_pending_authorizations(
    broker: Broker, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authorizing, "PENDING", 3)
    broker.register(provider.consumer())
    browser = Browser()
    started = [broker.start(browser, broker.form()).headers["location"] for _ in range(5)]
    callbacks = [browser.visit(location).headers["location"] for location in started]

    assert count_pending(broker) == 3
    assert [browser.visit(callback).status for callback in callbacks] == [400, 400, 302, 302, 302]
