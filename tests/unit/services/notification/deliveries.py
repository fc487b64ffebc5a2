"""What tests of Notification share: subscriptions, and the worker that sends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from penstock.app import list_reactions
from penstock.foundation import clock
from penstock.foundation.events import EventWorker
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack
from penstock.services.notification import interface
from penstock.services.notification.worker import Worker
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project


def subscribe(http: Http, channel: str, address: str, event: str = "job-failed", **fields: Any) -> dict[str, Any]:
    wanted = {"event": event, "recipient": {"channel": channel, "address": address}, **fields}
    response = http.post("/project-subscriptions", wanted)
    assert response.status == 201, response.text
    return response.json


def make_payload(services: ServicesOnly, **fields: Any) -> dict[str, Any]:
    """As Queue sends it."""
    caller = first_project(services).caller
    job = {
        "id": "77",
        "tasks": [],
        "component": {"id": "ex-generic-v2", "name": "Generic"},
        "configuration": {"id": "shop", "name": "Shop orders"},
    }
    branch = {"id": str(caller.main_branch_id)}
    return {"job": job, "project": {"id": str(caller.project_id), "name": "My project"}, "branch": branch, **fields}


def happen(services: ServicesOnly, event: str = "job-failed", **fields: Any) -> int:
    """How many subscriptions are notified of an event."""
    project_id = first_project(services).caller.project_id
    with services.stack.database.writing(project_id) as tx:
        return interface.send_event(tx, project_id, event, make_payload(services, **fields))


def allowing(stack: Stack) -> Stack:
    """The same stack, whose webhooks may reach loopback."""
    return msgspec.structs.replace(stack, outbound=Policy(allow=("127.0.0.1",)))


def send_all(stack: Stack) -> None:
    worker = Worker(stack, "w")
    while worker.run_one():
        pass


def deliver_events(stack: Stack) -> None:
    worker = EventWorker(stack.database, "w", list_reactions())
    while worker.run_one():
        pass


def wait_until(monkeypatch: pytest.MonkeyPatch, **passed: float) -> None:
    """Move the clock."""
    later = clock.now() + timedelta(**passed)
    monkeypatch.setattr(clock, "source", lambda: later)


def list_deliveries(http: Http, subscription: dict[str, Any]) -> list[dict[str, Any]]:
    return http.get(f"/project-subscriptions/{subscription['id']}/deliveries").json
