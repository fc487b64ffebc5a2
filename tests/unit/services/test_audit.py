"""What services record in the audit log: through their front doors, and never with a value."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from penstock.cli import main
from penstock.foundation import audit, clock
from penstock.foundation.audit.store import audit as table
from penstock.services.management import interface as management
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.queue.own_components import add_component, run

CANARY = "canary-9f31-value"


def entries(services: ServicesOnly, event: str = "") -> list[audit.AuditEntry]:
    """Oldest first."""
    with services.stack.database.reading() as tx:
        return audit.list_entries(tx, audit.AuditFilter(event=event))[::-1]


@pytest.fixture(autouse=True)
def _no_value_is_recorded(shared: ServicesOnly) -> Generator[None]:
    yield
    assert CANARY not in str(msgspec.to_builtins(entries(shared)))


def test_every_change_of_a_token_is_recorded(shared: ServicesOnly) -> None:
    storage, before = shared.service("storage"), len(entries(shared, "token"))
    made = storage.post("/v2/storage/tokens", {"description": "guest", "canManageBuckets": True, "expiresIn": 60}).json
    path = f"/v2/storage/tokens/{made['id']}"
    assert storage.put(path, {"componentAccess": ["ex-generic-v2"]}).status == 200
    refreshed = storage.post(f"{path}/refresh").json
    assert storage.delete(path).status == 204

    found = entries(shared, "token")[before:]
    assert [entry.event.partition(".")[2] for entry in found] == ["created", "updated", "refreshed", "deleted"]
    assert {entry.target for entry in found} == {f"token {made['id']}"}
    caller = first_project(shared).caller
    assert {(entry.project_id, entry.token_id) for entry in found} == {(caller.project_id, caller.token_id)}
    assert all(entry.address in ("127.0.0.1", "::1") for entry in found)
    assert found[0].details["powers"] == ["can_manage_buckets"]
    assert found[0].details["expires"]
    assert found[1].details["components"] == ["ex-generic-v2"]
    shown = str(msgspec.to_builtins(found))
    assert made["token"].rpartition("-")[2] not in shown
    assert refreshed["token"].rpartition("-")[2] not in shown


def test_a_new_secret_of_webhooks_is_recorded(shared: ServicesOnly) -> None:
    http = shared.service("notification")
    secrets = [http.post("/webhook-secret").json["secret"] for _ in range(2)]

    found, caller = entries(shared, "webhookSecret"), first_project(shared).caller
    assert [entry.event for entry in found] == ["webhookSecret.created", "webhookSecret.replaced"]
    assert {(entry.project_id, entry.token_id) for entry in found} == {(caller.project_id, caller.token_id)}
    assert not any(secret in str(msgspec.to_builtins(found)) for secret in secrets)


def test_a_refused_change_is_not_recorded(shared: ServicesOnly) -> None:
    before = len(entries(shared))
    refused = shared.service("storage").post("/v2/storage/tokens", {"bucketPermissions": {"in.c-none": "write"}})

    assert (refused.status >= 400, len(entries(shared))) == (True, before)


def test_sharing_and_linking_are_recorded(shared: ServicesOnly) -> None:
    storage, theirs = shared.service("storage"), add_project(shared)
    bucket = storage.post("/v2/storage/buckets", {"stage": "in", "name": "given"}).json["id"]
    shared_with = {"targetProjectIds": [theirs.caller.project_id], "sharing": "specific-projects"}
    assert storage.post(f"/v2/storage/buckets/{bucket}/share-to-projects", shared_with).status < 300
    link = {"stage": "in", "name": "taken", "sourceProjectId": first_project(shared).caller.project_id}
    linked = shared.service("storage", theirs.token).post("/v2/storage/buckets", {**link, "sourceBucketId": bucket})
    assert linked.status == 201, linked.text

    given, taken = entries(shared, "bucket")
    assert (given.event, given.target) == ("bucket.shared", f"bucket {bucket}")
    assert given.details == {"sharing": "specific-projects", "projects": [theirs.caller.project_id]}
    assert (taken.event, taken.project_id) == ("bucket.linked", theirs.caller.project_id)


def test_features_are_recorded_as_the_operators(shared: ServicesOnly) -> None:
    project = add_project(shared).caller.project_id
    for is_on in (True, False):
        with shared.stack.database.writing() as tx:
            management.set_feature(tx, project, management.NATIVE_TYPES, is_on=is_on)

    found = entries(shared, "feature")
    assert [entry.event for entry in found] == ["feature.enabled", "feature.disabled"]
    assert {(entry.token_id, entry.actor, entry.target) for entry in found} == {
        (None, "operator", "feature native-types")
    }


def test_a_job_that_decrypts_a_secret_is_recorded_on_each_database(
    services_on_each: ServicesOnly, tmp_path: Path
) -> None:
    services = services_on_each
    add_component(services, tmp_path, "own.test", "print('done')")
    assert services.service("vault").post("/variables", {"key": "host", "value": "h"}).status == 201
    configuration = {"parameters": {"#key": CANARY, "host": "{{ vault.host }}"}}
    wanted = {"name": "c", "configurationId": "c", "configuration": configuration}
    assert services.service("storage").post("/v2/storage/components/own.test/configs", wanted).status == 201
    job = run(services, "own.test", config="c")
    assert job["status"] == "success", job["result"]

    [used] = entries(services, "secret.used")
    assert (used.target, used.details) == (
        "component own.test configuration c",
        {"job": job["id"], "secrets": ["parameters.#key"]},
    )
    [read] = entries(services, "vault.read")
    assert read.details == {"job": job["id"], "variables": ["host"]}
    assert CANARY not in str(msgspec.to_builtins(entries(services)))
    run(services, "own.test", configData={"parameters": {}})
    assert len(entries(services, "secret.used")) == 1


def test_the_command_shows_what_is_asked_for(shared: ServicesOnly, capsys: pytest.CaptureFixture[str]) -> None:
    def shown(*flags: str) -> str:
        assert main(["audit", "--data-dir", str(shared.stack.folder), *flags]) == 0
        return capsys.readouterr().out

    shared.service("storage").post("/v2/storage/tokens", {"description": "shown"})
    found: list[dict[str, Any]] = json.loads(shown("--json", "--event", "token.created", "--limit", "1"))
    assert [(each["details"]["description"], each["event"]) for each in found] == [("shown", "token.created")]
    assert "token.created" in shown("--since", "-1 hour")
    assert json.loads(shown("--json", "--since", "+1 hour")) == []
    assert json.loads(shown("--json", "--project", "999999")) == []
    assert main(["audit", "--data-dir", str(shared.stack.folder), "--since", "soonish"]) == 1


def test_entries_are_removed_only_as_the_setting_says(shared: ServicesOnly) -> None:
    old = {"project_id": 1, "event": "old", "target": "", "details": {}, "actor": "", "address": "", "user_agent": ""}
    with shared.stack.database.writing() as tx:
        tx.change(table.insert(), [{**old, "time": clock.now() - timedelta(days=days)} for days in (95, 120)])
    audit.maintain(shared.stack)
    assert len(entries(shared, "old")) == 2
    audit.maintain(shared.stack.with_settings(audit_days=100))
    assert len(entries(shared, "old")) == 1
    audit.maintain(shared.stack.with_settings(audit_days=1))
    assert entries(shared, "old") == []
    assert entries(shared), "those that are younger than 90 days stay"
