"""Jobs through the public API: what goes wrong ends in a sentence, and nothing half-written stays behind."""

from __future__ import annotations

from collections.abc import Generator
from itertools import count
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.http import Http
from tests.support.stacks import RunningStack, wait_for

_numbers = count()


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as running:
        yield running


def configure(
    stack: RunningStack, base: str, pagination: Any = None, job: Any = None, **config: Any
) -> tuple[str, str]:
    """A new configuration, and the bucket it writes into."""
    number = next(_numbers)
    name = f"case{number}"
    parameters = {
        "api": {"baseUrl": base, "pagination": pagination or {}},
        "config": {"outputBucket": name, "jobs": [{"endpoint": "items", **(job or {})}], **config},
    }
    stack.configure(parameters, name)
    return name, f"in.c-{name}"


def run(stack: RunningStack, *args: Any, **rest: Any) -> tuple[dict[str, Any], str]:
    config, bucket = configure(stack, *args, **rest)
    return stack.run_job(config), bucket


OFFSET, CURSOR = {"method": "offset", "limit": 2}, {"method": "cursor", "idKey": "id", "param": "since"}

WRONG: list[tuple[str, dict[str, Any]]] = [
    ("limit", {"method": "offset"}),
    ("nonsense", {"method": "nonsense"}),
]


@pytest.mark.parametrize(("named", "pagination"), WRONG)
def test_a_wrong_pagination_ends_the_job_with_the_path_of_the_key(
    stack: RunningStack, api: Api, named: str, pagination: dict[str, Any]
) -> None:
    job, bucket = run(stack, api.url, pagination)

    assert job["status"] == "error"
    assert job["result"]["error"]["type"] == "user"
    assert "api.pagination" in job["result"]["message"]
    assert named in job["result"]["message"]
    assert api.seen == []
    assert stack.storage.get(f"/v2/storage/buckets/{bucket}").status == 404


def test_a_missing_id_key_in_the_items_is_named(stack: RunningStack, api: Api) -> None:
    api.on("/items", Response.json([{"name": "no id"}]))

    job, bucket = run(stack, api.url, CURSOR)

    assert job["status"] == "error"
    assert "not numeric" in job["result"]["message"]
    assert stack.storage.get(f"/v2/storage/buckets/{bucket}").status == 404


ANSWERS = [
    (Response(404, b'{"message": "no such thing"}'), "404"),
    (Response(200, b"<html><title>Log in</title></html>", {"Content-Type": "text/html"}), "JSON"),
]


@pytest.mark.parametrize(("response", "said"), ANSWERS)
def test_an_api_that_does_not_answer_as_it_should_is_told_in_a_sentence(
    stack: RunningStack, api: Api, response: Response, said: str
) -> None:
    api.on("/items", response)

    job, bucket = run(stack, api.url)

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert said in job["result"]["message"]
    assert stack.storage.get(f"/v2/storage/buckets/{bucket}").status == 404


def test_a_second_page_that_fails_leaves_nothing_of_the_first(stack: RunningStack, api: Api) -> None:
    api.on("/items", [Response.json([{"id": 1}, {"id": 2}]), Response(404)])

    job, bucket = run(stack, api.url, OFFSET)

    assert job["status"] == "error"
    assert stack.storage.get(f"/v2/storage/buckets/{bucket}").status == 404
    wait_for(lambda: not list((stack.folder / "jobs").glob(f"{job['id']}*")))


def test_a_private_address_is_out_of_reach_unless_it_is_allowed(stack: RunningStack) -> None:
    job, _ = run(stack, "http://127.0.0.2:9/")

    assert job["status"] == "error"
    assert "private address" in job["result"]["message"]
    assert "--allow-host 127.0.0.2" in job["result"]["message"]


def test_the_log_of_a_job_is_in_the_events_with_its_run_id(stack: RunningStack, api: Api) -> None:
    api.on("/items", Response.json({"items": []}))

    job, _ = run(stack, api.url)
    events = stack.events(job["id"])

    assert {event["runId"] for event in events} == {job["id"]}
    assert ("warn", True) in {(event["type"], "contains no data" in event["message"]) for event in events}
    assert events[-1]["type"] == "success"


def test_secrets_reach_the_api_and_no_log(stack: RunningStack, api: Api) -> None:
    api.on("/items", Response.json([{"id": 1}]))
    secret = "s3cr3t/canary value"

    job, _ = run(stack, api.url, job={"params": {"#key": secret}}, debug=True)
    said = stack.storage.get(f"/v2/storage/events?runId={job['id']}").text

    assert job["status"] == "success"
    assert api.seen[0].params == {"#key": secret}
    assert "GET" in said
    assert "[hidden]" in said
    assert not any(form in said for form in (secret, "s3cr3t", "canary"))
    assert not _contains(stack, secret)


def _contains(stack: RunningStack, secret: str) -> bool:
    """Whether any file of the data folder holds the text."""
    return any(secret.encode() in file.read_bytes() for file in stack.folder.rglob("*") if file.is_file())


def test_a_page_of_ten_megabytes_works(stack: RunningStack, api: Api) -> None:
    rows = [{"id": number, "text": "x" * 1_000_000} for number in range(10)]
    api.on("/items", Response.json(rows))

    job, bucket = run(stack, api.url)

    assert job["status"] == "success"
    assert stack.rows_count(f"{bucket}.items") == 10


def test_jobs_of_one_configuration_wait_for_each_other(stack: RunningStack, api: Api) -> None:
    def page(_seen: Seen) -> Response:
        wait_for(lambda: released)
        return Response.json([{"id": 1}])

    released: list[bool] = []
    api.on("/items", page)
    config, _ = configure(stack, api.url)

    first = stack.start_job(config)
    second = stack.start_job(config)
    wait_for(lambda: stack.job(first)["status"] == "processing")

    assert stack.job(second)["status"] == "waiting"
    released.append(True)
    assert stack.finish_job(first)["status"] == stack.finish_job(second)["status"] == "success"
    assert stack.job(first)["endTime"] <= stack.job(second)["startTime"]


def test_configuration_data_may_stand_in_for_a_configuration(stack: RunningStack, api: Api) -> None:
    api.on("/items", Response.json([{"id": 7}]))
    data = {
        "parameters": {
            "api": {"baseUrl": api.url},
            "config": {"outputBucket": "inline", "jobs": [{"endpoint": "items"}]},
        }
    }

    job = stack.run_job("", configData=data)

    assert job["status"] == "success"
    assert stack.rows("in.c-inline.items") == [["7"]]


def test_the_state_of_a_run_is_kept_for_the_next(stack: RunningStack, api: Api) -> None:
    api.on("/items", [Response.json([{"id": 1, "gone": "x"}]), Response.json([{"id": 2}])])
    config, bucket = configure(stack, api.url)

    stack.run_job(config)
    stack.run_job(config)
    kept = stack.storage.get(f"/v2/storage/components/ex-generic-v2/configs/{config}").json["state"]

    assert kept["component"]["time"]["previousStart"]
    assert stack.rows(f"{bucket}.items") == [["2", ""]]


def test_a_secret_does_not_open_for_another_host(stack: RunningStack, api: Api) -> None:
    """Whoever may read a configuration gets the cipher; it must be of no use to them."""
    api.on("/items", Response.json([{"id": 1}]))
    config, _ = configure(stack, "http://127.0.0.1:9/", job={"params": {"#key": "canary"}})
    stored = stack.storage.get(f"/v2/storage/components/ex-generic-v2/configs/{config}").json["configuration"]
    cipher = stored["parameters"]["config"]["jobs"][0]["params"]["#key"]
    assert cipher.startswith("KBC::")

    moved, _ = run(stack, api.url, job={"params": {"#key": cipher}})
    elsewhere = {"params": {"#key": cipher}, "endpoint": f"{api.url}/items"}
    around, _ = run(stack, "http://127.0.0.1:9/", job=elsewhere)

    assert moved["status"] == around["status"] == "error"
    assert "for other hosts than the configuration has" in moved["result"]["message"]
    assert api.seen == []


def test_a_token_that_is_revoked_while_the_job_runs_writes_nothing(stack: RunningStack, api: Api) -> None:
    wanted = {"componentAccess": ["ex-generic-v2"], "canManageBuckets": True}
    made = stack.storage.post("/v2/storage/tokens", wanted).json

    def page(_seen: Seen) -> Response:
        stack.storage.delete(f"/v2/storage/tokens/{made['id']}")
        return Response.json([{"id": 1}])

    api.on("/items", page)
    config, bucket = configure(stack, api.url)
    guest = Http(stack.greeting["queueUrl"], made["token"])
    job_id = guest.post("/jobs", {"component": "ex-generic-v2", "config": config}).json["id"]

    assert "revoked" in stack.finish_job(job_id)["result"]["message"]
    assert stack.storage.get(f"/v2/storage/buckets/{bucket}").status == 404


def test_names_of_fields_that_cannot_be_columns_are_mended(stack: RunningStack, api: Api) -> None:
    records = [{"名前": "x", "Id": 1, "id": 2, "a-b": 3, "a_b": 4, "k" * 90: 5, "gone": None}, {"gone": {"now": 6}}]
    api.on("/items", [Response.json(records[:1]), Response.json(records)])
    config, bucket = configure(stack, api.url)

    assert stack.run_job(config)["status"] == "success"
    assert stack.run_job(config)["status"] == "success"
    assert stack.rows_count(f"{bucket}.items") == 2
