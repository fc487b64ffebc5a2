"""Requests with an Idempotency-Key: sent again they are answered again, and done once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from penstock.foundation import clock
from penstock.web.idempotency import remove_old
from tests.support.contents import read_folder
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

JOB = {"component": "ex-generic-v2", "configData": {"parameters": {}}}


def post(services: ServicesOnly, path: str, body: str, key: str, token: str | None = None) -> Response:
    http = services.service("storage", token)
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    return Http(http.base, http.token).send("POST", f"/v2/storage/{path}", body.encode(), headers)


def buckets(services: ServicesOnly) -> list[str]:
    return [bucket["id"] for bucket in services.service("storage").get("/v2/storage/buckets").json]


def test_a_repeated_request_gets_the_same_answer_and_does_nothing(services: ServicesOnly):
    responses = [post(services, "tickets", "{}", "k") for _ in range(11)]

    assert {response.status for response in responses} == {201}
    assert len({response.body for response in responses}) == 1
    assert post(services, "tickets", "{}", "other").json != responses[0].json


def test_without_a_key_every_request_is_carried_out(services: ServicesOnly):
    queue = services.service("queue")
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda _: queue.post("/jobs", JOB), range(24)))

    assert {response.status for response in responses} == {201}
    assert len({response.json["id"] for response in responses}) == len(queue.get("/search/jobs").json) == 24


@pytest.mark.parametrize("times", [2, 11])
def test_with_a_key_one_job_is_created(services: ServicesOnly, times: int):
    queue, headers = services.service("queue"), {"Content-Type": "application/json", "Idempotency-Key": "k"}
    responses = [queue.send("POST", "/jobs", json.dumps(JOB).encode(), headers) for _ in range(times)]

    assert {response.status for response in responses} == {201}
    assert {response.json["id"] for response in responses} == {job["id"] for job in queue.get("/search/jobs").json}
    assert len(queue.get("/search/jobs").json) == 1


def test_a_job_is_started_once(services: ServicesOnly):
    post(services, "buckets", '{"name": "main"}', "b")
    body = '{"name": "t", "columns": [{"name": "a"}]}'

    first, second = (post(services, "buckets/in.c-main/tables-definition", body, "t") for _ in range(2))

    assert (first.status, first.body) == (202, second.body)
    assert len(services.service("storage").get("/v2/storage/jobs").json) == 1
    job = services.service("storage").get(f"/v2/storage/jobs/{first.json['id']}").json
    assert job["status"] in ("success", "processing", "waiting")


def test_an_answer_that_waits_for_a_job_is_kept_too(services: ServicesOnly):
    post(services, "buckets", '{"name": "main"}', "b")
    body = '{"name": "t", "dataString": "a\\n1\\n"}'

    first, second = (post(services, "buckets/in.c-main/tables", body, "t") for _ in range(2))

    assert (first.status, first.json["rowsCount"]) == (201, 1)
    assert second.body == first.body


def test_a_request_that_was_refused_may_be_mended_under_its_key(services: ServicesOnly):
    assert post(services, "buckets", '{"name": "_"}', "k").status == 400
    assert post(services, "buckets", '{"name": "main"}', "k").status == 201


def test_a_key_belongs_to_one_request(services: ServicesOnly):
    post(services, "buckets", '{"name": "main"}', "k")

    for path, body in (("buckets", '{"name": "other"}'), ("tickets", '{"name": "main"}')):
        response = post(services, path, body, "k")
        assert (response.status, response.json["code"]) == (400, "idempotencyKey.reused")
    assert buckets(services) == ["in.c-main"]


def test_a_key_belongs_to_one_project(services: ServicesOnly):
    other = add_project(services)

    assert post(services, "buckets", '{"name": "main"}', "k").status == 201
    assert post(services, "buckets", '{"name": "main"}', "k", other.token).status == 201


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_what_cannot_be_a_key_is_refused(services: ServicesOnly, key: str):
    assert post(services, "tickets", "{}", key).json["code"] == "idempotencyKey.invalid"


def test_requests_at_the_same_time_are_done_once(services: ServicesOnly):
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda _: post(services, "buckets", '{"name": "main"}', "k"), range(24)))

    assert {response.status for response in responses} <= {201, 409}
    assert len({response.body for response in responses if response.status == 201}) == 1
    assert buckets(services) == ["in.c-main"]


def test_old_keys_are_forgotten(services: ServicesOnly):
    first = post(services, "tickets", "{}", "k").json
    with services.stack.database.writing() as tx:
        remove_old(tx, clock.now() + timedelta(days=2))

    assert post(services, "tickets", "{}", "k").json != first


def test_secrets_in_answers_are_kept_encrypted(services: ServicesOnly):
    made = post(services, "tokens", "{}", "t")
    fresh = post(services, f"tokens/{made.json['id']}/refresh", "{}", "r")
    file = post(services, "files/prepare", '{"name": "a.csv", "federationToken": true}', "f")
    signature = file.json["absUploadParams"]["absCredentials"]["SASConnectionString"].rpartition("sig=")[2]
    kept = b"".join(read_folder(services.stack.folder).values())

    assert b"web_repeats" in kept
    for secret in (made.json["token"], fresh.json["token"], signature):
        assert secret
        assert secret.encode() not in kept
    assert post(services, "tokens", "{}", "t").body == made.body
    assert post(services, f"tokens/{made.json['id']}/refresh", "{}", "r").body == fresh.body


def test_an_answer_opens_only_for_the_token_that_got_it(services: ServicesOnly):
    post(services, "tickets", "{}", "k")
    other = add_project(services)
    with services.stack.database.writing() as tx:
        moved = f"project_id = {other.caller.project_id}, token_id = {other.caller.token_id}"
        tx.connection.exec_driver_sql(f"UPDATE web_repeats SET {moved}")

    response = post(services, "tickets", "{}", "k", other.token)

    assert (response.status, response.json["code"]) == (409, "idempotencyKey.answerLost")


def test_a_request_that_failed_in_its_job_fails_the_same_way_again(services: ServicesOnly):
    post(services, "buckets", '{"name": "main"}', "b")
    body = '{"name": "t", "dataString": "a,a\\n1,2\\n"}'

    first, second = (post(services, "buckets/in.c-main/tables", body, "t") for _ in range(2))

    assert first.status == 400
    assert (second.status, second.body) == (first.status, first.body)
    assert len(services.service("storage").get("/v2/storage/jobs").json) == 1
