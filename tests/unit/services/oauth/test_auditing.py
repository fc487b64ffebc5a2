"""What the audit log says of applications and credentials."""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.app import list_reactions
from penstock.foundation import audit
from penstock.foundation.events import EventWorker
from tests.support.providers import CLIENT, Browser, Provider
from tests.unit.services.oauth.broker import COMPONENT, Broker
from tests.unit.services.vault.test_reactions import create_branch, delete_branch


class Entries:
    """Those that were recorded since, oldest first."""

    def __init__(self, broker: Broker) -> None:
        self._broker, self._before = broker, 0
        self._before = max((entry.id for entry in self.list()), default=0)

    def list(self) -> list[audit.AuditEntry]:
        with self._broker.stack.database.reading() as tx:
            found = audit.list_entries(tx, audit.AuditFilter(event="oauth"))
        return [entry for entry in found[::-1] if entry.id > self._before]


def test_changes_of_an_application_are_recorded(broker_on_each: Broker, provider: Provider) -> None:
    entries, manager = Entries(broker_on_each), broker_on_each.manager
    broker_on_each.register(provider.consumer())
    assert manager.post("/manage", provider.consumer()).status == 422
    assert manager.send("PATCH", f"/manage/{COMPONENT}", b'{"appSecret": "CANARY", "usePkce": false}').status == 200
    assert manager.delete(f"/manage/{COMPONENT}").status == 204
    assert manager.delete(f"/manage/{COMPONENT}").status == 404

    found = entries.list()
    assert [entry.event for entry in found] == [
        "oauth.consumer.created",
        "oauth.consumer.updated",
        "oauth.consumer.deleted",
    ]
    assert {(entry.project_id, entry.actor, entry.target) for entry in found} == {
        (0, "tests", f"OAuth application of {COMPONENT}")
    }
    assert found[1].details == {"fields": ["app_secret", "app_secret_docker", "use_pkce"]}
    assert "CANARY" not in str(msgspec.to_builtins(found))
    assert CLIENT[1] not in str(msgspec.to_builtins(found))


def test_changes_of_credentials_are_recorded(broker_on_each: Broker) -> None:
    entries, caller = Entries(broker_on_each), broker_on_each.project.caller
    added = broker_on_each.add("CANARY")
    assert broker_on_each.http.delete(f"/credentials/{COMPONENT}/{added}").status == 204
    assert broker_on_each.http.delete(f"/credentials/{COMPONENT}/{added}").status == 404

    found = entries.list()
    assert [entry.event for entry in found] == ["oauth.credential.added", "oauth.credential.deleted"]
    assert {(entry.project_id, entry.token_id, entry.target, entry.address) for entry in found} == {
        (caller.project_id, caller.token_id, f"OAuth credentials {added} of {COMPONENT}", "127.0.0.1")
    }
    assert "CANARY" not in str(msgspec.to_builtins(found))


def test_completed_authorizations_are_recorded(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    entries, caller, form = Entries(broker), broker.project.caller, broker.form()
    broker.start(Browser(), form)
    started = entries.list()
    assert [broker.authorize(form).status for _ in range(2)] == [302, 302]

    found = entries.list()
    assert started == []
    assert [entry.event for entry in found] == ["oauth.credential.authorized"] * 2
    assert [entry.details["replaced"] for entry in found] == [False, True]
    assert found[1].details["previousToken"] == caller.token_id
    assert found[1].details["previousTokenDescription"] == caller.description
    assert datetime.fromisoformat(found[1].details["previousCreated"]) <= found[0].time
    assert {(entry.project_id, entry.token_id, entry.actor, entry.address) for entry in found} == {
        (caller.project_id, caller.token_id, caller.description, "127.0.0.1")
    }
    assert found[0].details["provider"] == "127.0.0.1"


def test_credentials_that_end_with_their_branch_are_recorded(broker: Broker) -> None:
    storage = broker.services.service("storage")
    branch = create_branch(storage, "recorded")
    added, entries = broker.add("{}", branchId=branch), Entries(broker)
    delete_branch(storage, branch)
    worker = EventWorker(broker.stack.database, "w", list_reactions())
    while worker.run_one():
        pass

    [entry] = entries.list()
    assert (entry.event, entry.target) == ("oauth.credential.deleted", f"OAuth credentials {added} of {COMPONENT}")
    assert entry.details == {"branch": int(branch), "reason": "branch deleted"}
