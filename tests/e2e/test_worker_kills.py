"""Workers that die at random: every job ends, none runs to success twice, none is stuck.

A hundred jobs here; `make soak` says a thousand.
"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.postgresql import PostgresServer
from tests.support.processes import children_of
from tests.support.stacks import RunningStack, wait_for

pytestmark = pytest.mark.faults

JOBS = int(os.environ.get("PENSTOCK_KILLED_JOBS", "60"))
WORKERS, CONFIGURATIONS, KILL_SECONDS, JOB_SECONDS = 8, 20, 2.0, 6.0
MAX_KILLS = JOBS // 2
COMPONENT = "keboola.runner-config-test"
FINISHED = "Component processing finished."
PARKED = "each time its worker died"


class Killer(threading.Thread):
    """Kills a worker now and then, until it is told that it is over.

    The number of kills is limited: on a slow machine a job may take longer than workers live.
    """

    def __init__(self, stack: RunningStack, seed: int) -> None:
        super().__init__(daemon=True)
        self._stack, self._random = stack, random.Random(seed)
        self._over = threading.Event()
        self.kills = 0

    def run(self) -> None:
        while self.kills < MAX_KILLS and not self._over.wait(KILL_SECONDS):
            if workers := children_of(self._stack.process.pid):
                os.kill(self._random.choice(workers), signal.SIGKILL)
                self.kills += 1

    def stop(self) -> None:
        self._over.set()
        self.join()


def one_row(number: int) -> dict[str, Any]:
    """Each run adds a row, so that one that was loaded twice would show."""
    table = {"source": "one.csv", "destination": f"in.c-killed.c{number}", "incremental": True}
    parameters = {"operation": "write-table", "table": "one.csv", "rows": [{"id": "1"}]}
    return {"parameters": parameters, "storage": {"output": {"tables": [table]}}}


def configure(stack: RunningStack) -> None:
    for number in range(CONFIGURATIONS):
        wanted = {"name": "one row", "configurationId": f"c{number}", "configuration": one_row(number)}
        assert stack.storage.post(f"/v2/storage/components/{COMPONENT}/configs", wanted).status == 201


def start(stack: RunningStack, number: int) -> str:
    return stack.start_job(f"c{number % CONFIGURATIONS}", component=COMPONENT)


def list_jobs(stack: RunningStack) -> list[dict[str, Any]]:
    pages = [stack.queue.get(f"/search/jobs?limit=500&offset={offset}").json for offset in range(0, JOBS, 500)]
    return [job for page in pages for job in page]


def all_ended(stack: RunningStack) -> bool:
    """Asked often, so for one job at most."""
    unfinished = "&".join(f"status[]={status}" for status in ("created", "waiting", "processing", "terminating"))
    return stack.queue.get(f"/search/jobs?limit=1&{unfinished}").json == []


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest) -> list[str]:
    """The flags of a stack on each database."""
    if request.param == "sqlite":
        return []
    server: PostgresServer = request.getfixturevalue("postgresql")
    return ["--database", server.make_database()]


def test_every_job_ends_and_none_succeeds_twice(tmp_path: Path, where: list[str]) -> None:
    stack = RunningStack(tmp_path / "data", "--workers", str(WORKERS), *where)
    configure(stack)
    killer = Killer(stack, seed=7)
    killer.start()
    started = [start(stack, number) for number in range(JOBS)]
    wait_for(lambda: all_ended(stack), seconds=60 + JOBS * JOB_SECONDS)
    killer.stop()

    jobs = list_jobs(stack)
    parked = [job for job in jobs if job["status"] == "error" and PARKED in job["result"]["message"]]
    succeeded = [job for job in jobs if job["status"] == "success"]
    assert sorted(job["id"] for job in jobs) == sorted(started)
    assert len(parked) + len(succeeded) == JOBS, {job["result"].get("message") for job in jobs}
    assert killer.kills >= JOBS / 50
    for job in jobs:
        said = Counter(event["message"] for event in stack.events(job["id"]))
        assert said[FINISHED] == (job in succeeded), job["id"]
    assert_exact(stack, Counter(job["config"] for job in succeeded), Counter(job["config"] for job in parked))
    stack.stop()


def assert_exact(stack: RunningStack, succeeded: Counter[str], parked: Counter[str]) -> None:
    """A job that was given up may have loaded its row before its worker died for the last time."""
    for config, times in succeeded.items():
        assert times <= stack.rows_count(f"in.c-killed.{config}") <= times + parked[config], config
