"""A full disk: reading goes on, writing is refused with a sentence, and when there is room again so does all."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.stacks import PENSTOCK, RunningStack, clean_environment, wait_for

pytestmark = pytest.mark.faults

OWN = "own.disk"


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A disk of 80 MB of its own, where the system lets us make one."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode:
        pytest.skip("Making a small disk needs the right to mount one.")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(disk: Path) -> Path:
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return ballast


def add_component(stack: RunningStack, folder: Path, script: str) -> None:
    folder.mkdir()
    (folder / "main.py").write_text(f"import os, time\n{script}\n")
    known = {"id": OWN, "name": "Test", "type": "application", "command": ["python", "main.py"]}
    (folder / "component.json").write_text(json.dumps(known))
    added = [*PENSTOCK, "components", "add", str(folder), "--data-dir", str(stack.folder)]
    subprocess.run(added, check=True, env=clean_environment())


def run_own(stack: RunningStack) -> dict[str, Any]:
    return stack.run_job("", component=OWN, configData={"parameters": {}})


def diagnose(stack: RunningStack) -> dict[str, dict[str, Any]]:
    command = [*PENSTOCK, "doctor", "--json", "--data-dir", str(stack.folder)]
    said = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    return {check["name"]: check for check in json.loads(said.stdout)["checks"]}


def test_a_full_disk_makes_the_stack_read_only_and_it_recovers_by_itself(
    small_disk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stack = RunningStack(small_disk / "data")
    stack.run_job("sample-customers")
    stack.run_job("sample-orders")
    add_component(stack, tmp_path_factory.mktemp("own") / "own", "time.sleep(120)")
    running = stack.queue.post("/jobs", {"component": OWN, "mode": "run", "configData": {"parameters": {}}}).json["id"]
    wait_for(lambda: stack.job(running)["status"] == "processing")
    ballast = fill(small_disk)

    refused = stack.queue.post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"})
    assert (refused.status, refused.headers["retry-after"]) == (503, "5"), refused.text
    assert "full" in refused.json["error"]
    assert stack.rows_count("in.c-sample.customers") == 250
    preview = stack.storage.get("/v2/storage/tables/in.c-sample.customers/data-preview")
    assert preview.status == 200, preview.text
    # Its guard may have ended it before, for the sake of the disk.
    killed = stack.queue.post(f"/jobs/{running}/kill")
    assert killed.status in (202, 400), killed.text
    assert stack.finish_job(running)["status"] in ("terminated", "error")
    assert diagnose(stack)["disk space"]["state"] == "wrong"
    wait_for(lambda: "the disk is full" in stack.errors)

    assert stack.stop() == 0
    fill(small_disk)
    stack = RunningStack(small_disk / "data")
    wait_for(lambda: "the stack is read-only" in stack.errors)
    assert stack.queue.post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"}).status == 503
    assert stack.storage.get("/v2/storage/tables/in.c-sample.customers/data-preview").status == 200
    assert stack.storage.delete("/v2/storage/tables/in.c-sample.orders").status in (202, 204)

    ballast.unlink()
    order = {"component": "ex-generic-v2", "config": "sample-orders"}
    job = wait_for(lambda: (posted := stack.queue.post("/jobs", order)).status == 201 and posted, 10)
    assert stack.finish_job(job.json["id"])["status"] == "success"
    assert stack.rows_count("in.c-sample.orders") == 430
    assert diagnose(stack)["workers"]["state"] == "ok"
    stack.stop()


FILL = """
with open("out/files/big", "wb") as file:
    while True:
        file.write(b"x" * 100_000)
        time.sleep(0.01)
"""


def test_a_component_that_fills_the_disk_is_ended_and_the_next_job_runs(
    small_disk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stack = RunningStack(small_disk / "data")
    add_component(stack, tmp_path_factory.mktemp("own") / "own", FILL)
    job = run_own(stack)

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert "The disk of the stack is nearly full" in job["result"]["message"]
    assert stack.run_job("sample-customers")["status"] == "success"
    stack.stop()


def test_a_component_may_use_as_much_of_the_disk_as_the_operator_allows(
    small_disk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stack = RunningStack(small_disk / "data", variables={"PENSTOCK_JOB_DISK_MEGABYTES": "10"})
    add_component(stack, tmp_path_factory.mktemp("own") / "own", FILL)
    job = run_own(stack)

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert "may use 10 MB, as the stack's setting job_disk_megabytes says" in job["result"]["message"]
    stack.stop()


def test_a_job_that_fills_the_disk_ends_in_error_or_goes_on_when_there_is_room(small_disk: Path) -> None:
    stack = RunningStack(small_disk / "data")
    job_id = stack.start_job("sample-customers")
    ballast = fill(small_disk)
    wait_for(lambda: stack.queue.get(f"/jobs/{job_id}").status == 200)
    ballast.unlink()

    ended = stack.finish_job(job_id)

    assert ended["status"] in ("success", "error")
    again = stack.run_job("sample-customers")
    assert again["status"] == "success"
    assert [row[0] for row in stack.rows("in.c-sample.customers")] == [str(number) for number in range(1, 251)]
    stack.stop()
