"""The stack is killed during loads, thirty times, in `make soak` a hundred: what was acknowledged is there, once."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from functools import partial
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import RunningStack, wait_for

pytestmark = pytest.mark.faults

TABLE = "in.c-main.rows"
ROUNDS = 5
SEEDS = 20 if "PENSTOCK_CRASHES" in os.environ else 6


class Loader:
    """Loads rows one after another until nobody answers any more."""

    def __init__(self, http: Http, name: str) -> None:
        self.sent: list[str] = []
        self.acknowledged: list[str] = []
        self._http, self._name = http, name
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def has_acknowledged(self) -> bool:
        return bool(self.acknowledged)

    def join(self) -> None:
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        for number in range(1000):
            row = f"{self._name}-{number}"
            self.sent.append(row)
            try:
                body = {"dataString": f"id,value\n{row},{number}\n", "incremental": 1}
                response = self._http.post(f"/v2/storage/tables/{TABLE}/import", body)
            except (OSError, HTTPException):
                return
            if response.status == 200:
                self.acknowledged.append(row)


def rows(stack: RunningStack) -> list[str]:
    query = "limit=1000&columns=id&orderBy[0][column]=id"
    return stack.storage.get(f"/v2/storage/tables/{TABLE}/data-preview?{query}").text.replace('"', "").split()[1:]


def has_ended(stack: RunningStack) -> bool:
    asked = "storage_job_status[]=waiting&storage_job_status[]=processing"
    return not stack.storage.get(f"/v2/storage/jobs?{asked}").json


@pytest.mark.parametrize("seed", range(SEEDS))
def test_acknowledged_loads_survive_a_kill_of_the_stack(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    stack = RunningStack(tmp_path / "data")
    stack.storage.post("/v2/storage/buckets", {"name": "main"})
    fields = {"name": "rows", "dataString": "id,value\n", "primaryKey": "id" if seed % 2 else ""}
    assert stack.storage.post("/v2/storage/buckets/in.c-main/tables", fields).status == 201
    sent, acknowledged = set[str](), set[str]()
    for turn in range(ROUNDS):
        loaders = [Loader(stack.storage, f"{turn}-{number}") for number in range(2)]
        if not turn:  # so that there is something to lose, however slow the machine
            wait_for(loaders[0].has_acknowledged)
        time.sleep(rng.uniform(0.05, 0.9))
        stack.stop(signal.SIGKILL)
        for loader in loaders:
            loader.join()
            sent |= set(loader.sent)
            acknowledged |= set(loader.acknowledged)

        stack = RunningStack(tmp_path / "data")
        # What a worker had begun is taken over at once: it is known to be gone.
        wait_for(partial(has_ended, stack))
        found = rows(stack)
        assert len(found) == len(set(found))
        assert acknowledged <= set(found) <= sent
        assert stack.rows_count(TABLE) == len(found)
    stack.stop()
    assert acknowledged
