"""What somebody waits for who starts a job."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from penstock.foundation.jobs.claims import LEASE
from tests.benchmarks.lines import Line
from tests.support.processes import children_of
from tests.support.stacks import ALL_THREADS, PENSTOCK, RunningStack, clean_environment, wait_for

RUNNER, SAMPLE = "keboola.runner-config-test", "sample-customers"
TABLE = "in.c-sample.customers"
JOBS_CREATED, CONNECTIONS, TIMES = 600, 4, 15
PATIENCE, LOOK_SECONDS = 60.0, 0.01


class Desk:
    """A stack, and somebody who starts jobs on it."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.folder, self.rounds = folder, rounds
        self.stack = RunningStack(folder / "data", variables=ALL_THREADS)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stack.stop()

    def start(self, **wanted: Any) -> str:
        response = self.stack.queue.post("/jobs", wanted)
        assert response.status == 201, response.text
        return response.json["id"]

    def run(self, operation: str, **parameters: Any) -> str:
        return self.start(component=RUNNER, configData={"parameters": {"operation": operation, **parameters}})


def until(is_so: Callable[[], Any]) -> float:
    """Seconds until it is so."""
    began = time.perf_counter()
    while not is_so():
        if time.perf_counter() - began > PATIENCE:
            raise SystemExit("It did not happen within a minute.")
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - began


def measure_creation(desk: Desk) -> Iterator[Line]:
    """Jobs that do not begin before tomorrow, so that nothing else goes on; over a few connections that stay."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        rates: list[float] = []
        for _ in range(desk.rounds):
            began = time.perf_counter()
            made = [job_id for ids in pool.map(_create_many, [desk] * CONNECTIONS) for job_id in ids]
            rates.append(len(made) / (time.perf_counter() - began))
            list(pool.map(lambda job_id: desk.stack.queue.post(f"/jobs/{job_id}/kill"), made))
    rate = max(rates)
    yield Line(f"creation of a job, {rate:.0f} a second", 1000 / rate, 1000 / 300, unit="ms")


def _create_many(desk: Desk) -> list[str]:
    url = urlsplit(desk.stack.greeting["queueUrl"])
    body = json.dumps({"component": "ex-generic-v2", "config": SAMPLE, "delay": 86_400})
    headers = {"X-StorageApi-Token": desk.stack.greeting["token"], "Content-Type": "application/json"}
    made: list[str] = []
    with closing(HTTPConnection(url.hostname or "", url.port)) as connection:
        for _ in range(JOBS_CREATED // CONNECTIONS):
            connection.request("POST", f"{url.path}/jobs", body, headers)
            response = connection.getresponse()
            assert response.status == 201, response.read()
            made.append(json.load(response)["id"])
    return made


def measure_first_lines(desk: Desk) -> Iterator[Line]:
    """In turns with the extractor on its own, which asks the same pages of the same server."""
    turns = [(*_run_sample(desk), _extract_sample(desk)) for _ in range(TIMES)]
    line, rows, alone = (1000 * median(each) for each in zip(*turns, strict=True))
    name = "POST /jobs to {}, p50; `penstock extract` of the same pages"
    yield Line(name.format("the first line of the extractor's log"), line, 2, alone, unit="ms")
    yield Line(name.format("rows in the table"), rows, 3, alone, unit="ms")


def _run_sample(desk: Desk) -> tuple[float, float]:
    """Return the seconds to the first line of the log, and to rows."""
    desk.stack.storage.delete(f"/v2/storage/tables/{TABLE}")
    began = time.perf_counter()
    job_id = desk.start(component="ex-generic-v2", config=SAMPLE)
    until(lambda: desk.stack.events(job_id))
    line = time.perf_counter() - began
    until(lambda: desk.stack.storage.get(f"/v2/storage/tables/{TABLE}/data-preview").status == 200)
    rows = time.perf_counter() - began
    until(lambda: desk.stack.job(job_id)["isFinished"])
    return line, rows


def _extract_sample(desk: Desk) -> float:
    folder = desk.folder / "extract"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    url = urlsplit(desk.stack.greeting["queueUrl"])
    configuration = desk.stack.storage.get(f"/v2/storage/components/ex-generic-v2/configs/{SAMPLE}").json[
        "configuration"
    ]
    configuration["parameters"]["api"]["baseUrl"] = f"{url.scheme}://{url.netloc}/_svc/sample/"
    (folder / "config.json").write_text(json.dumps(configuration))
    began = time.perf_counter()
    subprocess.run(
        [*PENSTOCK, "extract", "--data-dir", folder], check=True, capture_output=True, env=clean_environment()
    )
    return time.perf_counter() - began


def measure_stops(desk: Desk) -> Iterator[Line]:
    taken: list[float] = []
    for _ in range(desk.rounds):
        job_id = desk.run("sleep", timeout=600)
        until(lambda job_id=job_id: desk.stack.job(job_id)["status"] == "processing")
        time.sleep(1)
        desk.stack.queue.post(f"/jobs/{job_id}/kill")
        taken.append(until(lambda job_id=job_id: desk.stack.job(job_id)["status"] == "terminated"))
    yield Line("termination of a running job, the slowest", max(taken), 2)


def measure_takeover(desk: Desk) -> Iterator[Line]:
    """The worker is frozen, not killed: of one that is gone the stack would know at once."""
    job_id = desk.run("sleep", timeout=60)
    worker = wait_for(lambda: next(filter(children_of, children_of(desk.stack.process.pid)), None))
    os.kill(worker, signal.SIGSTOP)
    taken = until(lambda: _attempts(desk, job_id) > 1)
    os.kill(worker, signal.SIGKILL)
    yield Line("a frozen worker's job taken over", taken, LEASE.total_seconds() + 1)
    desk.stack.queue.post(f"/jobs/{job_id}/kill")


def _attempts(desk: Desk, job_id: str) -> int:
    return sum(f'"job_id":{job_id},' in line and "job started" in line for line in desk.stack.errors.splitlines())
