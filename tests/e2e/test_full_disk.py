"""A full disk: reading goes on, writing is refused with a sentence, and when there is room again so does all."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stacks import RunningStack, wait_for

pytestmark = pytest.mark.faults

MEGABYTE = 1024 * 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A disk of 40 MB of its own, where the system lets us make one."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode:
        pytest.skip("Making a small disk needs the right to mount one.")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(disk: Path) -> Path:
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return ballast


def test_a_full_disk_refuses_writes_keeps_answering_and_recovers_by_itself(small_disk: Path) -> None:
    stack = RunningStack(small_disk / "data")
    stack.run_job("sample-customers")
    ballast = fill(small_disk)

    refused = stack.queue.post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"})
    known = stack.rows_count("in.c-sample.customers")
    preview = stack.storage.get("/v2/storage/tables/in.c-sample.customers/data-preview")
    ballast.unlink()

    assert refused.status == 503, refused.text
    assert "full" in refused.json["error"]
    assert known == 250
    # SQLite makes a small file to read a catalog; where not even that fits, it says so.
    assert preview.status in (200, 503), preview.text
    job = wait_for(lambda: stack.queue.post("/jobs", {"component": "ex-generic-v2", "config": "sample-orders"}), 10)
    assert stack.finish_job(job.json["id"])["status"] == "success"
    assert stack.rows_count("in.c-sample.orders") == 430
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
