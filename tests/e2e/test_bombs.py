"""Files of one project that unpack to gigabytes: refused, and the other projects do not wait for them."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.app import open_from
from penstock.foundation.outbound import Policy
from penstock.services.storage import interface as storage
from penstock.settings import Settings
from tests.support.bombs import make_bomb
from tests.support.http import Http
from tests.support.stacks import RunningStack, wait_for
from tests.unit.services.storage.loading import load, make_table, run

pytestmark = pytest.mark.faults

BOMB_MEGABYTES = 8000
SECONDS = 100
"""More than a busy machine needs for a small table; the bombs take many minutes."""


def add_project(folder: Path) -> str:
    """Its token."""
    stack = open_from(Settings(data_dir=str(folder)), Policy())
    try:
        with stack.database.writing() as tx:
            return storage.create_project(tx, "Another project", "someone@else.example")[0]
    finally:
        stack.close()


@pytest.fixture
def stack(tmp_path: Path, ratio: str) -> Generator[RunningStack]:
    """With two workers, of which one project has one at most."""
    variables = {"PENSTOCK_UNPACKED_RATIO": ratio, "PENSTOCK_STORAGE_JOBS_PER_PROJECT": "1"}
    running = RunningStack(tmp_path / "data", variables=variables)
    yield running
    running.stop()


def of_project(stack: RunningStack, token: str) -> Http:
    return Http(f"{stack.storage.base}/v2/storage", token)


@pytest.mark.parametrize("ratio", ["250", "0"], ids=["limited", "without a limit"])
def test_bombs_of_one_project_do_not_keep_another_waiting(stack: RunningStack, ratio: str) -> None:
    """Without a limit of what a file unpacks to, that no project has all workers is all there is, and that jobs can be
    cancelled."""
    hostile, quiet = of_project(stack, stack.storage.token or ""), of_project(stack, add_project(stack.folder))
    for name in ("one", "two"):
        make_table(hostile, "id,name\n1,x\n", name)
    make_table(quiet, "id,name\n1,x\n", "users")
    bombs = [load(hostile, f"in.c-main.{name}", make_bomb(BOMB_MEGABYTES), "bomb.csv.gz") for name in ("one", "two")]
    paths = [f"/jobs/{response.json['id']}" for response in bombs]
    wait_for(lambda: any(hostile.get(path).json["startTime"] for path in paths))

    began = time.monotonic()
    assert run(quiet, load(quiet, "in.c-main.users", "id,name\n2,y\n", incremental=1))["status"] == "success"
    assert time.monotonic() - began < SECONDS
    if ratio == "0":
        assert {hostile.post(f"{path}/cancel").status for path in paths} == {202}
    codes = {ended(hostile, path)["error"]["code"] for path in paths}
    assert codes == {"storage.jobs.cancelled" if ratio == "0" else "storage.unpacksTooFar"}
    for name in ("one", "two"):
        assert hostile.get(f"/tables/in.c-main.{name}").json["rowsCount"] == 1


def ended(http: Http, path: str) -> dict[str, Any]:
    return wait_for(lambda: (job := http.get(path).json)["endTime"] and job)
