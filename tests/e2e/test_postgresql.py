"""A stack whose metadata is in PostgreSQL, as its operator starts it: jobs run, also those of a worker beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.postgresql import PostgresServer
from tests.support.stacks import ONE_WORKER, RunningStack, second_worker, wait_for

PASSWORD = "hush-4711"


@pytest.fixture
def address(postgresql: PostgresServer) -> str:
    """With a password, which the server does not ask for here and nobody may ever see."""
    return postgresql.make_database().replace("postgres:@", f"postgres:{PASSWORD}@")


def test_a_stack_on_postgresql_runs_jobs_and_goes_on_after_a_stop_with_a_worker_beside_it(
    address: str, tmp_path: Path
) -> None:
    first = RunningStack(tmp_path / "data", "--database", address, *ONE_WORKER)
    job = first.run_job("sample-customers")
    assert first.stop() == 0
    again = RunningStack(tmp_path / "data", "--database", address, *ONE_WORKER)

    assert job["status"] == "success"
    assert again.job(job["id"]) == {**job, "url": again.job(job["id"])["url"]}
    assert again.rows_count("in.c-sample.customers") == 250
    log = again.folder / "logs" / "beside.log"
    with second_worker(again, "--database", address):
        wait_for(log.exists)
        # Which worker takes a job is not said.
        wait_for(lambda: '"job started"' in log.read_text() or not run_two(again))
    again.stop()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert PASSWORD.encode() not in kept
    assert PASSWORD not in first.errors + again.errors


def run_two(stack: RunningStack) -> list[str]:
    """At the same time, each once."""
    logs = [stack.folder / "logs" / name for name in ("worker-1.log", "beside.log")]
    before = count_started(logs)
    jobs = [stack.start_job(config) for config in ("sample-customers", "sample-orders")]
    assert {stack.finish_job(job)["status"] for job in jobs} == {"success"}
    assert count_started(logs) == before + len(jobs)
    return jobs


def count_started(logs: list[Path]) -> int:
    return sum(log.read_text().count('"job started"') for log in logs)
