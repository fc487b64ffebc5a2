"""Webhooks: sent to a real receiver, signed, retried and logged."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Generator
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from penstock.foundation.jobs.claims import MAX_LOST_LEASES
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack
from penstock.services.notification import worker
from penstock.services.notification.models import DeliveryRow
from penstock.services.notification.store import deliveries
from penstock.services.notification.worker import ATTEMPTS, Worker, delay_after
from tests.support.api import Api, Response, Seen
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.notification.deliveries import (
    allowing,
    happen,
    list_deliveries,
    make_payload,
    send_all,
    subscribe,
    wait_until,
)


class BrokenWorker(Worker):
    def _send(self, row: DeliveryRow) -> None:
        raise KeyError(row.id)


@pytest.fixture
def receiver() -> Generator[Api]:
    with Api() as api:
        api.on("/hook", lambda _seen: Response(204))
        yield api


def hold(_seen: Seen) -> Response:
    time.sleep(1)
    return Response(200)


def verify(seen: Seen, secret: str) -> bool:
    """As receivers do it."""
    signed = f"{seen.headers['webhook-id']}.{seen.headers['webhook-timestamp']}.".encode() + seen.body
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256)
    return seen.headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


def test_a_matching_event_is_posted_with_a_signature(services_on_each: ServicesOnly, receiver: Api) -> None:
    http = services_on_each.service("notification")
    secret = http.post("/webhook-secret").json["secret"]
    made = subscribe(
        http, "webhook", f"{receiver.url}/hook", filters=[{"field": "job.component.id", "value": "ex-generic-v2"}]
    )
    subscribe(http, "webhook", f"{receiver.url}/hook", filters=[{"field": "job.component.id", "value": "other"}])
    subscribe(http, "webhook", f"{receiver.url}/hook", "job-succeeded")

    assert happen(services_on_each, errorMessage="No such host.") == 1
    send_all(services_on_each.stack)
    [seen] = receiver.seen
    body = json.loads(seen.body)
    expected = make_payload(services_on_each, errorMessage="No such host.", eventType="job-failed")
    project_id, domain = first_project(services_on_each).caller.project_id, services_on_each.settings.domain
    expected["job"]["url"] = f"http://connection.{domain}:8300/admin/projects/{project_id}/queue/77"
    assert body == expected
    assert (seen.method, seen.headers["content-type"]) == ("POST", "application/json")
    assert verify(seen, secret)
    [delivery] = list_deliveries(http, made)
    assert seen.headers["webhook-id"] == delivery["id"]
    assert (delivery["status"], delivery["attempts"], delivery["error"]) == ("success", 1, None)
    assert http.get("/deliveries").json == [delivery]


def test_a_new_secret_replaces_the_old_one(shared: ServicesOnly, receiver: Api) -> None:
    http = shared.service("notification")
    old, new = (http.post("/webhook-secret").json["secret"] for _ in range(2))

    assert old != new
    subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(shared)
    send_all(allowing(shared.stack))
    assert verify(receiver.seen[-1], new)
    assert not verify(receiver.seen[-1], old)
    with shared.stack.database.reading() as tx:
        stored = tx.connection.execute(text("SELECT * FROM notification_secrets")).fetchall()
    assert all(secret not in repr(stored) for secret in (old, new))


def test_a_delivery_that_fails_is_tried_again_with_the_same_id(
    services_on_each: ServicesOnly, receiver: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    http = services_on_each.service("notification")
    receiver.on("/hook", [Response(500), Response(302, headers={"Location": "/elsewhere"}), Response(200)])
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(services_on_each)
    errors, ids = list[Any](), set[str]()
    for attempt in range(1, 4):
        send_all(services_on_each.stack)
        [delivery] = list_deliveries(http, made)
        errors.append((delivery["status"], delivery["attempts"], delivery["error"]))
        ids.add(delivery["id"])
        wait_until(monkeypatch, seconds=delay_after(attempt))

    assert errors == [
        ("waiting", 1, "The receiver responded with status 500."),
        ("waiting", 2, "The receiver responded with status 302."),
        ("success", 3, None),
    ]
    assert [seen.headers["webhook-id"] for seen in receiver.seen] == [*ids] * 3
    assert receiver.asked("/elsewhere") == []


def test_a_receiver_that_is_never_there_is_given_up_and_logged(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, stack = services.service("notification"), allowing(services.stack)
    made = subscribe(http, "webhook", "http://127.0.0.1:9/hook")
    happen(services)
    for attempt in range(1, ATTEMPTS + 1):
        send_all(stack)
        wait_until(monkeypatch, seconds=delay_after(attempt))
    send_all(stack)

    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["attempts"], delivery["nextAttemptAt"]) == ("error", ATTEMPTS, None)
    assert "127.0.0.1" in delivery["error"]
    assert delivery["endedAt"]


def test_what_settings_refuse_is_kept_and_sent_with_other_settings(services: ServicesOnly, receiver: Api) -> None:
    http = services.service("notification")
    refusing = replace(services.stack, outbound=Policy())
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(services)
    send_all(refusing)

    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["attempts"]) == ("waiting", 1)
    assert "127.0.0.1 is a private address" in delivery["error"]
    assert "--allow-host 127.0.0.1" in delivery["error"]
    assert worker.KEPT in delivery["error"]
    restart(refusing)
    assert receiver.seen == []
    restart(allowing(services.stack))
    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["attempts"], delivery["error"]) == ("success", 2, None)


def test_refusals_do_not_count_as_attempts_and_end_after_days(
    services: ServicesOnly, receiver: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    http = services.service("notification")
    refusing = replace(services.stack, outbound=Policy())
    receiver.on("/hook", lambda _seen: Response(500))
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(services)
    for _ in range(ATTEMPTS + 2):
        send_all(refusing)
        wait_until(monkeypatch, hours=1)
    restart(allowing(services.stack))
    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["attempts"]) == ("waiting", ATTEMPTS + 3)
    assert delivery["error"] == "The receiver responded with status 500."

    wait_until(monkeypatch, days=worker.REFUSED_DAYS)
    send_all(refusing)
    [delivery] = list_deliveries(http, made)
    assert delivery["status"] == "error"
    assert "private address" in delivery["error"]


def test_what_is_refused_does_not_hold_up_other_recipients(
    services: ServicesOnly, receiver: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "MAX_REFUSED", 1)
    monkeypatch.setattr("penstock.services.notification.operations.sending.MAX_UNFINISHED", 1)
    http = services.service("notification")
    refusing = replace(services.stack, outbound=Policy())
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    for _ in range(2):
        happen(services)
        send_all(refusing)

    assert [each["status"] for each in list_deliveries(http, made)] == ["error", "waiting"]
    assert "private address" in list_deliveries(http, made)[0]["error"]


def restart(stack: Stack) -> None:
    """A worker that starts with these settings, and sends what it finds."""
    Worker(stack, "w").prepare()
    send_all(stack)


def test_a_slow_receiver_is_not_waited_for(
    services: ServicesOnly, receiver: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.services.notification.channels.webhook.TIMEOUT_SECONDS", 0.2)
    http, stack = services.service("notification"), allowing(services.stack)
    receiver.on("/hook", hold)
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(services)
    send_all(stack)

    [delivery] = list_deliveries(http, made)
    assert delivery["status"] == "waiting"
    assert "0.2 seconds" in delivery["error"]


def test_what_waits_for_a_deleted_subscription_is_not_sent(services: ServicesOnly, receiver: Api) -> None:
    http, stack = services.service("notification"), allowing(services.stack)
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(services)
    assert http.delete(f"/project-subscriptions/{made['id']}").status == 204
    send_all(stack)

    [delivery] = http.get("/deliveries").json
    assert (delivery["status"], delivery["error"]) == ("error", worker.DELETED)
    assert receiver.seen == []


def test_a_worker_that_dies_while_sending_is_followed_by_another(
    services_on_each: ServicesOnly, receiver: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, stack = services_on_each.service("notification"), services_on_each.stack
    made = subscribe(http, "webhook", f"{receiver.url}/hook")
    happen(services_on_each)
    lost = Worker(stack, "lost").claim()
    assert lost
    assert Worker(stack, "w").claim() is None
    wait_until(monkeypatch, seconds=16)
    send_all(stack)

    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["attempts"], len(receiver.seen)) == ("success", 2, 1)
    with pytest.raises(deliveries.claims.LeaseLost), stack.database.writing(lost.project_id) as tx:
        deliveries.finish(tx, lost, None)


def test_an_unexpected_error_is_tried_again_with_delays(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    http = services.service("notification")
    made = subscribe(http, "email", "ops@example.com")
    happen(services)
    for attempt in range(1, ATTEMPTS + 1):
        assert BrokenWorker(services.stack, "w").run_one()
        assert not BrokenWorker(services.stack, "w").run_one()
        wait_until(monkeypatch, seconds=delay_after(attempt))

    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["attempts"]) == ("error", ATTEMPTS)
    assert "KeyError" in delivery["error"]


def test_a_delivery_whose_workers_die_ends(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    http = services.service("notification")
    made = subscribe(http, "email", "ops@example.com")
    happen(services)
    for _ in range(MAX_LOST_LEASES):
        assert Worker(services.stack, "lost").claim()
        wait_until(monkeypatch, seconds=16)
    send_all(services.stack)

    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["error"]) == ("error", worker.LOST)


def test_the_log_is_read_in_pages_newest_first(services: ServicesOnly) -> None:
    http = services.service("notification")
    made = subscribe(http, "email", "ops@example.com")
    for _ in range(3):
        happen(services)
    ids = [each["id"] for each in list_deliveries(http, made)]

    assert ids == sorted(ids, key=int, reverse=True)
    path = f"/project-subscriptions/{made['id']}/deliveries"
    assert [each["id"] for each in http.get(f"{path}?limit=1&offset=1").json] == ids[1:2]
    assert http.get(f"{path}?limit=0").status == 400


def test_a_project_whose_recipients_are_not_reached_stops_to_add(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.services.notification.operations.sending.MAX_UNFINISHED", 1)
    http = services.service("notification")
    made = subscribe(http, "email", "ops@example.com")
    happen(services)
    happen(services)

    assert [each["status"] for each in list_deliveries(http, made)] == ["error", "created"]
