"""One story: a job fails, and people are told by e-mail and webhook. It is fixed, and its table starts a flow, which
tells them that all is there."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.http import Http
from tests.support.mail import MailServer
from tests.support.stacks import ONE_WORKER, RunningStack, wait_for

TABLE = "in.c-ex-generic-v2-shop.orders"


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/hook", lambda _seen: Response(200))
        api.on("/orders", lambda _seen: Response(404))
        yield api


@pytest.fixture
def mail() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def stack(tmp_path: Path, mail: MailServer) -> Generator[RunningStack]:
    smtp = {"HOST": "localhost", "PORT": str(mail.port), "TLS": "none", "SENDER": "alerts@example.com"}
    variables = {f"PENSTOCK_SMTP_{name}": value for name, value in smtp.items()}
    running = RunningStack(tmp_path / "data", *ONE_WORKER, "--allow-host", "127.0.0.1", variables=variables)
    yield running
    running.stop()


def make_flow(api: Api) -> dict[str, Any]:
    recipients = ["team@example.com", {"channel": "webhook", "address": f"{api.url}/hook"}]
    told = {"type": "notification", "title": "Orders", "message": "All is there.", "recipients": recipients}
    tasks = [{"id": "told", "name": "Told", "phase": "tell", "task": told}]
    return {"phases": [{"id": "tell", "name": "Tell", "next": [{"id": "end", "goto": None}]}], "tasks": tasks}


def save_flow(stack: RunningStack, document: dict[str, Any]) -> None:
    wanted = {"name": "Tell", "configurationId": "tell", "configuration": document}
    response = stack.storage.post("/v2/storage/components/keboola.flow/configs", wanted)
    assert response.status == 201, response.text


def subscribe(stack: RunningStack, event: str, channel: str, address: str) -> None:
    notification = Http(stack.greeting["queueUrl"].replace("queue", "notification"), stack.greeting["token"])
    recipient = {"channel": channel, "address": address}
    response = notification.post("/project-subscriptions", {"event": event, "recipient": recipient})
    assert response.status == 201, response.text


def add_trigger(stack: RunningStack) -> None:
    token = stack.storage.get("/v2/storage/tokens/verify").json["id"]
    wanted = {
        "runWithTokenId": token,
        "component": "keboola.flow",
        "configurationId": "tell",
        "coolDownPeriodMinutes": 1,
        "tableIds": [TABLE],
    }
    response = stack.storage.post("/v2/storage/triggers", wanted)
    assert response.status == 201, response.text


def test_people_are_told_of_a_failure_and_of_the_flow_that_a_loaded_table_starts(
    stack: RunningStack, api: Api, mail: MailServer
) -> None:
    subscribe(stack, "job-failed", "email", "ops@example.com")
    subscribe(stack, "job-failed", "webhook", f"{api.url}/hook")
    jobs = [{"endpoint": "orders", "dataType": "orders"}]
    config = {"outputBucket": "ex-generic-v2-shop", "jobs": jobs}
    stack.configure({"api": {"baseUrl": f"{api.url}/"}, "config": config}, "shop")

    failed = stack.run_job("shop")
    assert failed["status"] == "error"
    wait_for(lambda: mail.received and len([seen for seen in api.seen if seen.path == "/hook"]) == 1)
    assert mail.received[0].to == ["ops@example.com"]
    assert mail.received[0].message["Subject"] == "[My project] shop failed"
    posted = json.loads(next(seen.body for seen in api.seen if seen.path == "/hook"))
    assert (posted["eventType"], posted["job"]["id"]) == ("job-failed", failed["id"])
    assert posted["errorMessage"] == failed["result"]["message"]

    api.on("/orders", lambda _seen: Response.json([{"id": 1}]))
    assert stack.run_job("shop")["status"] == "success"
    save_flow(stack, make_flow(api))
    add_trigger(stack)
    assert stack.run_job("shop")["status"] == "success"
    wait_for(lambda: len(mail.received) == 2 and len([seen for seen in api.seen if seen.path == "/hook"]) == 2)
    assert (mail.received[1].to, mail.received[1].message["Subject"]) == (["team@example.com"], "[My project] Orders")
    assert "All is there." in mail.received[1].text
    [flow] = [job for job in stack.queue.get("/search/jobs").json if job["component"] == "keboola.flow"]
    assert flow["config"] == "tell"
    assert stack.finish_job(flow["id"])["status"] == "success"
