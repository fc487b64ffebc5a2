"""`penstock jobs`."""

from __future__ import annotations

import json

import pytest

from tests.support.stacks import RunningStack, wait_for
from tests.unit.cli.conftest import Penstock

COMPONENT = "ex-generic-v2"


@pytest.fixture
def done(stack: RunningStack) -> str:
    """A job that has ended well."""
    return stack.run_job("sample-customers")["id"]


def delayed(stack: RunningStack) -> str:
    """A job that has not begun."""
    return stack.start_job("sample-orders", delay=3600)


def test_jobs_are_listed_newest_first(penstock: Penstock, stack: RunningStack, done: str) -> None:
    ended = penstock("jobs", "list", "--status", "success", "--config", "sample-customers", "--data-dir", stack.folder)
    header, first, *_ = ended.stdout.splitlines()

    assert (ended.returncode, ended.stderr) == (0, "")
    assert header.split() == ["ID", "STATUS", "COMPONENT", "CONFIG", "CREATED", "SECONDS"]
    assert first.split()[:4] == [done, "success", COMPONENT, "sample-customers"]
    assert "\x1b" not in ended.stdout


def test_a_list_may_be_json_and_filtered(penstock: Penstock, stack: RunningStack, done: str) -> None:
    flags = ("--component", COMPONENT, "--component", "other", "--since", "-1 hour", "--limit", "1", "--json")
    [job] = json.loads(penstock("jobs", "list", *flags, "--data-dir", stack.folder).stdout)

    assert (job["id"], job["status"]) == (done, "success")
    of_none = ("--status", "warning", "--config", "sample-customers", "--json")
    assert json.loads(penstock("jobs", "list", *of_none, "--data-dir", stack.folder).stdout) == []


def test_a_job_is_shown_with_what_came_of_it(penstock: Penstock, stack: RunningStack, done: str) -> None:
    ended = penstock("jobs", "show", done, "--data-dir", stack.folder)

    assert ended.returncode == 0, ended.stderr
    assert f"Job            {done}\n" in ended.stdout
    assert "Status         success\n" in ended.stdout
    assert "in.c-sample.customers" in ended.stdout
    assert ended.stdout.endswith("Component processing finished.\n")
    shown = json.loads(penstock("jobs", "show", done, "--json", "--data-dir", stack.folder).stdout)
    assert (shown["id"], shown["isFinished"]) == (done, True)


def test_a_job_is_stopped(penstock_process: Penstock, stack: RunningStack) -> None:
    job_id = delayed(stack)
    ended = penstock_process("jobs", "kill", job_id, "--data-dir", stack.folder)
    again = penstock_process("jobs", "kill", job_id, "--data-dir", stack.folder)

    assert (ended.returncode, ended.stdout) == (0, f"Job {job_id} is cancelled.\n")
    assert (again.returncode, again.stdout) == (1, "")
    assert "not in one of killable states" in again.stderr


def test_a_job_is_run_again_and_followed(penstock: Penstock, stack: RunningStack, done: str) -> None:
    ended = penstock("jobs", "retry", done, "--data-dir", stack.folder)
    made = ended.stdout.split()[1].rstrip(":")

    assert ended.returncode == 0, ended.stderr
    assert int(made) > int(done)
    assert "Component processing finished." in ended.stdout
    assert wait_for(lambda: stack.job(made)["isFinished"])
    first, second = stack.job(done), stack.job(made)
    for same in ("component", "config", "mode", "tag", "branchId", "backend"):
        assert first[same] == second[same], same


@pytest.mark.parametrize("action", ["show", "kill", "retry"])
def test_an_unknown_job_is_a_sentence(penstock: Penstock, stack: RunningStack, action: str) -> None:
    ended = penstock("jobs", action, "../nope", "--data-dir", stack.folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("There is no job ../nope.")
    assert "Traceback" not in ended.stderr


def test_a_wrong_filter_is_a_sentence(penstock: Penstock, stack: RunningStack) -> None:
    ended = penstock("jobs", "list", "--status", "odd", "--data-dir", stack.folder)

    assert ended.returncode == 1
    assert "'odd' is not known here" in ended.stderr
