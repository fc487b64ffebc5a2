"""`penstock logs`."""

from __future__ import annotations

import json

import pytest

from penstock.cli import main
from tests.support.stacks import ServicesOnly
from tests.unit.cli.conftest import Shell


@pytest.fixture
def job(shell: Shell, shared: ServicesOnly) -> str:
    """A job that has not begun, with three lines in its log."""
    job_id = create_job(shared)
    for kind in ("info", "warn", "error"):
        add_event(shell, job_id, kind, f"A line of {kind}.")
    return job_id


def create_job(shared: ServicesOnly) -> str:
    wish = {"mode": "run", "component": "ex-generic-v2", "config": "sample-orders", "delay": 3600}
    return shared.service("queue").post("/jobs", wish).json["id"]


def add_event(shell: Shell, run_id: str, kind: str, message: str) -> None:
    body = {"message": message, "component": "ex-generic-v2", "type": kind, "runId": run_id}
    assert shell.storage.post("/v2/storage/events", body).status == 201


def test_a_log_is_shown_with_its_times_and_levels(shell: Shell, job: str) -> None:
    lines = shell("logs", job).splitlines()

    assert [line[9:] for line in lines] == ["A line of info.", "warning: A line of warn.", "error: A line of error."]
    assert all(line[2] == line[5] == ":" for line in lines)


def test_a_level_leaves_out_what_is_below_it(shell: Shell, job: str) -> None:
    shown = [json.loads(line)["type"] for line in shell("logs", job, "--level", "warning", "--json").splitlines()]

    assert shown == ["warn", "error"]
    assert shell("logs", job, "--level", "error").endswith("error: A line of error.\n")


def test_the_log_of_a_flow_holds_those_of_its_tasks(shell: Shell, shared: ServicesOnly, job: str) -> None:
    add_event(shell, f"{job}.{create_job(shared)}", "info", "From the task.")

    assert shell("logs", job).splitlines()[-1].endswith(" [sample-orders] From the task.")


def test_a_log_is_followed_until_the_job_has_ended(shell: Shell, job: str) -> None:
    shell("jobs", "kill", job)

    assert "error: A line of error." in shell("logs", "-f", job)


def test_an_unfinished_job_is_mentioned_and_an_unknown_one_is_an_error(
    shell: Shell, job: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["logs", job, *shell.target]) == 0
    assert capsys.readouterr().err == f"The job is waiting. Follow it: penstock logs -f {job}\n"
    assert shell("logs", "999999", code=1).startswith("There is no job 999999.")
