"""A stack whose metadata is in PostgreSQL, as its operator starts it: jobs run, also those of a worker beside it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.postgresql import PostgresServer
from tests.support.stacks import ONE_WORKER, PENSTOCK, RunningStack, clean_environment, wait_for

PASSWORD = "hush-4711"


@pytest.fixture
def address(postgresql: PostgresServer) -> str:
    """With a password, which the server does not ask for here and nobody may ever see."""
    return postgresql.make_database().replace("postgres:@", f"postgres:{PASSWORD}@")


def test_a_stack_on_postgresql_runs_jobs_and_goes_on_after_a_stop(address: str, tmp_path: Path) -> None:
    first = RunningStack(tmp_path / "data", "--database", address, *ONE_WORKER)
    job = first.run_job("sample-customers")
    assert first.stop() == 0
    again = RunningStack(tmp_path / "data", "--database", address, *ONE_WORKER)

    assert job["status"] == "success"
    assert again.job(job["id"]) == {**job, "url": again.job(job["id"])["url"]}
    assert again.rows_count("in.c-sample.customers") == 250
    assert again.run_job("sample-orders")["status"] == "success"
    again.stop()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert PASSWORD.encode() not in kept
    assert PASSWORD not in first.errors + again.errors


def test_a_worker_beside_the_stack_finds_work(address: str, tmp_path: Path) -> None:
    stack = RunningStack(tmp_path / "data", "--database", address, "--workers", "1")
    beside = subprocess.Popen(
        [*PENSTOCK, "worker", "--name", "beside", "--data-dir", str(tmp_path / "data"), "--database", address],
        stdin=subprocess.DEVNULL,
        env=clean_environment(),
    )
    logs = [tmp_path / "data" / "logs" / name for name in ("worker-1.log", "beside.log")]
    wait_for(lambda: all(log.exists() for log in logs))

    jobs = [stack.start_job(config) for config in ("sample-customers", "sample-orders") * 3]
    ended = [stack.finish_job(job) for job in jobs]
    beside.terminate()

    assert beside.wait(PATIENCE) == 0
    assert {job["status"] for job in ended} == {"success"}
    started = [log.read_text().count('"job started"') for log in logs]
    assert sum(started) == len(jobs)
    assert min(started) > 0
    stack.stop()
