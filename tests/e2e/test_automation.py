"""A story of automation, with real e-mails and webhooks: a configuration with an encrypted secret runs by cron. It
fails, and people are told. It is fixed and succeeds, and from then on its table starts a flow, which tells people that
all is there."""

from __future__ import annotations

import base64
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.http import Http
from tests.support.mail import MailServer
from tests.support.stacks import ONE_WORKER, RunningStack, run_copy, wait_for

TABLE = "in.c-crm.customers"
SECRET, WRONG = "correct horse battery", "stale donkey battery"
RIGHT_LOGIN = "Basic " + base64.b64encode(f"ada:{SECRET}".encode()).decode()


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/hook", lambda _seen: Response(200))
        api.on("/customers", lambda seen: _customers(seen.headers.get("authorization")))
        yield api


@pytest.fixture
def mail() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def stack(new_data_folder: Path, tmp_path: Path, mail: MailServer) -> Generator[RunningStack]:
    variables = mail.variables("alerts@example.com")
    flags = (*ONE_WORKER, "--allow-host", "127.0.0.1")
    running = run_copy(new_data_folder, tmp_path / "data", *flags, variables=variables)
    yield running
    running.stop()


def make_flow(api: Api) -> dict[str, Any]:
    recipients = ["team@example.com", {"channel": "webhook", "address": f"{api.url}/hook"}]
    told = {"type": "notification", "title": "Customers", "message": "All is there.", "recipients": recipients}
    tasks = [{"id": "told", "name": "Told", "phase": "tell", "task": told}]
    return {"phases": [{"id": "tell", "name": "Tell", "next": [{"id": "end", "goto": None}]}], "tasks": tasks}


def save_flow(stack: RunningStack, document: dict[str, Any]) -> None:
    wanted = {"name": "Tell", "configurationId": "tell", "configuration": document}
    response = stack.storage.post("/v2/storage/components/keboola.flow/configs", wanted)
    assert response.status == 201, response.text


def service(stack: RunningStack, name: str) -> Http:
    return Http(stack.greeting["queueUrl"].replace("queue", name), stack.greeting["token"])


def subscribe(stack: RunningStack, event: str, channel: str, address: str) -> None:
    recipient = {"channel": channel, "address": address}
    response = service(stack, "notification").post("/project-subscriptions", {"event": event, "recipient": recipient})
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


def encrypt(stack: RunningStack, secret: str) -> str:
    project = stack.storage.get("/v2/storage/tokens/verify").json["owner"]["id"]
    path = f"/encrypt?componentId=ex-generic-v2&projectId={project}"
    response = service(stack, "encryption").post(path, {"#password": secret})
    assert response.status == 200, response.text
    return response.json["#password"]


def make_customers(api: Api, cipher: str) -> dict[str, Any]:
    config = {"outputBucket": "crm", "username": "ada", "#password": cipher, "jobs": [{"endpoint": "customers"}]}
    return {"api": {"baseUrl": f"{api.url}/", "authentication": {"type": "basic"}}, "config": config}


def schedule_every_minute(stack: RunningStack, config_id: str) -> str:
    target = {"componentId": "ex-generic-v2", "configurationId": config_id, "mode": "run"}
    document = {"schedule": {"cronTab": "* * * * *", "timezone": "Europe/Prague", "state": "enabled"}, "target": target}
    wanted = {"name": "Every minute", "configurationId": "every-minute", "configuration": document}
    assert stack.storage.post("/v2/storage/components/keboola.scheduler/configs", wanted).status == 201
    activated = service(stack, "scheduler").post("/schedules", {"configurationId": "every-minute"})
    assert activated.status == 200, activated.text
    return activated.json["id"]


def test_a_schedule_with_an_encrypted_secret_fails_tells_people_is_fixed_and_its_table_starts_a_flow(
    stack: RunningStack, api: Api, mail: MailServer
) -> None:
    subscribe(stack, "job-failed", "email", "ops@example.com")
    subscribe(stack, "job-failed", "webhook", f"{api.url}/hook")
    stack.configure(make_customers(api, encrypt(stack, WRONG)), "crm")
    schedule = schedule_every_minute(stack, "crm")

    wait_for(lambda: mail.received and api.asked("/hook"))
    assert mail.received[0].to == ["ops@example.com"]
    assert mail.received[0].message["Subject"] == "[My project] crm failed"
    posted = json.loads(next(seen.body for seen in api.seen if seen.path == "/hook"))
    failed = stack.job(posted["job"]["id"])
    assert (posted["eventType"], posted["job"]["configuration"]["id"]) == ("job-failed", "crm")
    assert (posted["errorMessage"], failed["status"]) == (failed["result"]["message"], "error")

    fixed = {"configuration": {"parameters": make_customers(api, encrypt(stack, SECRET))}}
    assert stack.storage.put("/v2/storage/components/ex-generic-v2/configs/crm", fixed).status == 200
    path = f"/schedules/{schedule}"
    wait_for(lambda: RIGHT_LOGIN in [seen.headers.get("authorization") for seen in api.seen])
    wait_for(lambda: _newest_status(stack, service(stack, "scheduler").get(path).json) == "success")
    assert stack.rows(TABLE) == [["1"]]
    assert service(stack, "scheduler").delete(path).status == 204
    assert all(secret not in mail.received[0].text + json.dumps(posted) for secret in (SECRET, WRONG))

    letters, hooks = len(mail.received), len(api.asked("/hook"))
    save_flow(stack, make_flow(api))
    add_trigger(stack)
    assert stack.run_job("crm")["status"] == "success"
    wait_for(lambda: len(mail.received) == letters + 1 and len(api.asked("/hook")) == hooks + 1)
    told = mail.received[-1]
    assert (told.to, told.message["Subject"]) == (["team@example.com"], "[My project] Customers")
    assert "All is there." in told.text
    [flow] = [job for job in stack.queue.get("/search/jobs").json if job["component"] == "keboola.flow"]
    assert flow["config"] == "tell"
    assert stack.finish_job(flow["id"])["status"] == "success"


def _customers(login: str | None) -> Response:
    return Response.json([{"id": 1}]) if login == RIGHT_LOGIN else Response.json({"error": "wrong password"}, 401)


def _newest_status(stack: RunningStack, schedule: dict[str, Any]) -> str:
    executions = schedule["executions"]
    return stack.queue.get(f"/jobs/{executions[0]['jobId']}").json["status"] if executions else ""
