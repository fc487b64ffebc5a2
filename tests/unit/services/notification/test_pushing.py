"""Events and messages that programs of the operator push, with a manage token."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.services.management import interface as management
from tests.support.api import Api, Response
from tests.support.http import Http
from tests.support.http import Response as HttpResponse
from tests.support.stacks import ServicesOnly
from tests.unit.services.notification.deliveries import (
    allowing,
    list_deliveries,
    make_payload,
    send_all,
    subscribe,
)

PUSH, SEND = "notifications:push-event", "notifications:send-notification"


def push(services: ServicesOnly, path: str, document: Any, *scopes: str) -> HttpResponse:
    with services.stack.database.writing() as tx:
        _, token = management.create_manage_token(tx, "program", list(scopes))
    headers = {"X-KBC-ManageApiToken": token, "Content-Type": "application/json"}
    http = Http(services.service("notification").base)
    return http.send("POST", path, body=json.dumps(document).encode(), headers=headers)


def make_message(services: ServicesOnly, channel: str, address: str, **data: Any) -> dict[str, Any]:
    project = make_payload(services)["project"]
    return {
        "type": f"direct-project-{channel}",
        "recipient": {"channel": channel, "address": address},
        "data": {"project": project, "title": "Loaded", "message": "All is there.", **data},
    }


def test_a_pushed_event_notifies_subscriptions_of_its_project(shared: ServicesOnly) -> None:
    http = shared.service("notification")
    made = subscribe(http, "email", "ops@example.com", "my-event", filters=[{"field": "uniqueId", "value": "7"}])
    document = make_payload(shared, uniqueId="7", durationOvertimePercentage=0.5)
    for _ in range(2):
        response = push(shared, "/events/my-event", document, PUSH)
        assert (response.status, response.body) == (202, b"")
    assert push(shared, "/events/my-event", {**document, "uniqueId": "8"}, PUSH).status == 202

    [delivery] = list_deliveries(http, made)
    assert (delivery["event"], delivery["status"]) == ("my-event", "created")


def test_a_pushed_event_keeps_the_tasks_of_its_job(services: ServicesOnly) -> None:
    payload, task = make_payload(services), {"id": "5", "name": "Load", "status": "error"}
    payload["job"]["tasks"] = [task]
    with Api() as api:
        api.on("/hook", Response(200))
        subscribe(services.service("notification"), "webhook", f"{api.url}/hook", "my-event")
        assert push(services, "/events/my-event", payload, PUSH).status == 202
        send_all(allowing(services.stack))

    assert json.loads(api.seen[0].body)["job"]["tasks"] == [task]


def test_a_message_is_sent_to_its_recipient(services_on_each: ServicesOnly) -> None:
    with Api() as api:
        api.on("/hook", Response(200))
        link = {"id": "1", "name": "Nightly", "url": "https://example.com/flow"}
        wanted = make_message(services_on_each, "webhook", f"{api.url}/hook", flow=link)
        response = push(services_on_each, "/notifications", wanted, SEND)
        send_all(allowing(services_on_each.stack))

    assert response.status == 202
    [delivery] = services_on_each.service("notification").get("/deliveries").json
    assert response.json == {"id": delivery["id"]}
    assert (delivery["subscriptionId"], delivery["status"]) == (None, "success")
    assert json.loads(api.seen[0].body) == {**wanted["data"], "eventType": "direct-project-webhook"}


@pytest.mark.parametrize("scopes", [[], [SEND], ["oauth:manage"]])
def test_events_need_their_scope(shared: ServicesOnly, scopes: list[str]) -> None:
    assert push(shared, "/events/job-failed", make_payload(shared), *scopes).status == 403


def test_messages_need_their_scope_and_no_storage_token_has_it(shared: ServicesOnly) -> None:
    wanted = make_message(shared, "email", "ops@example.com")

    assert push(shared, "/notifications", wanted, PUSH).status == 403
    assert shared.service("notification").post("/notifications", wanted).status == 401
    assert shared.service("notification").post("/events/job-failed", make_payload(shared)).status == 401


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"type": "direct-project-webhook"}, "recipient.channel"),
        ({"recipient": {"channel": "email", "address": "nobody"}}, "not a valid e-mail address"),
        ({"data": {"project": {"id": "999999"}, "title": "", "message": ""}}, "not the id of a project"),
        ({"data": {"project": {"id": "x"}, "title": "", "message": ""}}, "not the id of a project"),
        ({"data": {"project": {"id": 10**30}, "title": "", "message": ""}}, "not the id of a project"),
        ({"data": {"project": {"id": "1"}}}, "title"),
    ],
)
def test_a_wrong_message_is_refused(shared: ServicesOnly, change: dict[str, Any], problem: str) -> None:
    response = push(shared, "/notifications", {**make_message(shared, "email", "ops@example.com"), **change}, SEND)

    assert response.status == 400
    assert problem in response.json["error"]
