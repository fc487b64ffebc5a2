"""`penstock up --https`, as programs meet it that speak HTTP/2 only."""

from __future__ import annotations

import json
import sqlite3
import ssl
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.http2 import Http2
from tests.support.patience import PATIENCE
from tests.support.stacks import ONE_WORKER, RunningStack, run_copy, wait_for

LEAVE_SECONDS = 0.5
"""In which the stack surely sees that a connection is closed; nothing outside of it tells."""
ROWS = "id,name\n" + "".join(f"{number},Ada {number}\n" for number in range(20_000))


@pytest.fixture(scope="module")
def stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    folder = tmp_path_factory.mktemp("http2") / "data"
    running = run_copy(new_data_folder, folder, "--https", "--https-port", "0", *ONE_WORKER)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def client(stack: RunningStack) -> Generator[httpx.Client]:
    with open_client(stack) as each:
        yield each


def open_client(stack: RunningStack) -> httpx.Client:
    """Offers `h2` and nothing else."""
    context = ssl.create_default_context(cafile=stack.greeting["authorityFile"])
    headers = {"X-StorageApi-Token": stack.greeting["token"]}
    return httpx.Client(http1=False, http2=True, verify=context, headers=headers, timeout=60)


def base(stack: RunningStack, label: str) -> str:
    return f"https://127.0.0.1:{urlsplit(stack.greeting['httpsStorageUrl']).port}/_svc/{label}"


def ask(client: httpx.Client, method: str, url: str, **rest: Any) -> httpx.Response:
    response = client.request(method, url, **rest)
    assert response.http_version == "HTTP/2"
    return response


def test_every_service_answers(client: httpx.Client, stack: RunningStack) -> None:
    index = ask(client, "GET", f"{base(stack, 'storage')}/v2/storage").json()

    urls = [service["url"] for service in index["services"]]
    assert len(urls) >= 2
    for url in [*urls, base(stack, "storage"), base(stack, "portal")]:
        assert ask(client, "GET", f"{url}/").status_code == 200, url
    assert ask(client, "GET", f"{base(stack, 'storage')}/v2/storage/tokens/verify").status_code == 200
    assert ask(client, "GET", f"{base(stack, 'queue')}/search/jobs").json() == []
    assert ask(client, "GET", f"{base(stack, 'vault')}/variables").json() == []


def test_a_table_goes_in_and_comes_out(client: httpx.Client, stack: RunningStack) -> None:
    storage = f"{base(stack, 'storage')}/v2/storage"
    assert ask(client, "POST", f"{storage}/buckets", json={"stage": "in", "name": "h2"}).status_code == 201
    made = ask(client, "POST", f"{storage}/buckets/in.c-h2/tables", data={"name": "rows", "dataString": ROWS})
    assert made.status_code == 201, made.text

    preview = ask(client, "GET", f"{storage}/tables/in.c-h2.rows/data-preview", params={"limit": 1000}).text

    assert len(preview.splitlines()) == 1001


def test_a_body_may_come_without_a_length(client: httpx.Client, stack: RunningStack) -> None:
    pieces = (part.encode() for part in ('{"stage": "in", ', '"name": "pieces"}'))

    made = ask(
        client,
        "POST",
        f"{base(stack, 'storage')}/v2/storage/buckets",
        content=pieces,
        headers={"Content-Type": "application/json"},
    )

    assert (made.status_code, "content-length" in made.request.headers) == (201, False)
    assert made.json()["id"] == "in.c-pieces"


def test_a_job_runs_and_its_log_is_read(client: httpx.Client, stack: RunningStack) -> None:
    body = {"mode": "run", "component": "ex-generic-v2", "config": "sample-customers"}
    job = ask(client, "POST", f"{base(stack, 'queue')}/jobs", json=body).json()

    assert stack.finish_job(job["id"])["status"] == "success"
    assert ask(client, "GET", f"{base(stack, 'queue')}/jobs/{job['id']}").json()["status"] == "success"


def test_a_job_whose_answer_was_cut_is_made_once(client: httpx.Client, stack: RunningStack) -> None:
    job = {"component": "ex-generic-v2", "configData": {"parameters": {}}, "tag": "1.0.0"}
    key = {"Idempotency-Key": "cut"}

    def made() -> list[str]:
        found = ask(client, "GET", f"{base(stack, 'queue')}/search/jobs").json()
        return [each["id"] for each in found if each["config"] is None]

    with Frozen(stack):
        with open_client(stack) as leaving, pytest.raises(httpx.ReadTimeout):
            leaving.post(f"{base(stack, 'queue')}/jobs", json=job, headers=key, timeout=httpx.Timeout(PATIENCE, read=2))
        time.sleep(LEAVE_SECONDS)
    [first] = wait_for(made)

    assert ask(client, "POST", f"{base(stack, 'queue')}/jobs", json=job, headers=key).json()["id"] == first
    assert made() == [first]


@pytest.mark.parametrize("times", [200, pytest.param(1000, marks=pytest.mark.faults)])
def test_many_requests_on_one_connection_while_the_stack_is_busy(stack: RunningStack, times: int) -> None:
    port = urlsplit(stack.greeting["httpsStorageUrl"]).port or 443
    token = {"x-storageapi-token": stack.greeting["token"]}
    with (
        Busy(stack, f"busy{times}"),
        Http2("connection.penstock.localhost", port, stack.greeting["authorityFile"]) as connection,
    ):
        connection.ask("/v2/storage/tokens/verify", token, times=times)

    assert list(connection.statuses.values()) == [200] * times
    assert {json.loads(body)["id"] for body in connection.bodies.values()} == {
        token["x-storageapi-token"].split("-")[1]
    }
    assert connection.pings
    # The official programs give up after three seconds.
    assert max(connection.pings) < 3


class Frozen:
    """Nothing can be written as long as this lasts, so nothing is answered."""

    def __init__(self, stack: RunningStack) -> None:
        self._database = sqlite3.connect(stack.folder / "metadata.sqlite", isolation_level=None)

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_error: object) -> None:
        self._database.execute("ROLLBACK")
        self._database.close()


class Busy:
    """Jobs that run, tables that are loaded and read, all the while."""

    def __init__(self, stack: RunningStack, bucket: str) -> None:
        self._stack, self._bucket, self._over = stack, bucket, threading.Event()
        self._pool = ThreadPoolExecutor(3)

    def __enter__(self) -> None:
        self._stack.storage.post("/v2/storage/buckets", {"stage": "in", "name": self._bucket})
        self._stack.start_job("sample-customers")
        self._stack.start_job("sample-orders")
        self._work = [self._pool.submit(self._load, f"t{number}") for number in range(3)]

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._pool.shutdown()
        assert all(work.result() for work in self._work)

    def _load(self, name: str) -> bool:
        done = 0
        while not self._over.is_set():
            table = {"name": f"{name}x{done}", "dataString": ROWS}
            assert self._stack.storage.post(f"/v2/storage/buckets/in.c-{self._bucket}/tables", table).status == 201
            preview = self._stack.storage.get(
                f"/v2/storage/tables/in.c-{self._bucket}.{name}x{done}/data-preview?limit=1000"
            )
            assert preview.status == 200
            done += 1
        return done > 0
