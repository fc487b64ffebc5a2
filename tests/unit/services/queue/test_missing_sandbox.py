"""Jobs of a stack whose machine has no bubblewrap."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.runtime.sandboxing import SandboxRule
from penstock.services.queue.execution import Execution
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running.monitor import JobMonitor
from penstock.services.queue.worker import launchers
from tests.support.sandbox import bubblewrap_missing
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.queue.own_components import add_component, claim, create_job, messages


@pytest.fixture
def services(new_data_folder: Path, tmp_path: Path) -> Generator[ServicesOnly]:
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = ServicesOnly(tmp_path / "data")
    yield stack
    stack.close()


@pytest.fixture(autouse=True)
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with bubblewrap_missing(tmp_path, monkeypatch):
        yield


def execute(services: ServicesOnly, component_id: str, rule: SandboxRule) -> dict[str, object]:
    create_job(services, component_id, configData={})
    job = claim(services)
    choose = launchers("process", rule, services.stack.database)
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        Execution(services.stack, job, monitor, choose).run()
    return services.service("queue").get(f"/jobs/{job.id}").json


def test_the_first_line_of_a_job_says_so(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, "acme.hello", "print('hello')")
    job = execute(services, "acme.hello", SandboxRule())

    first = messages(services, job)[0]
    assert first.startswith("Components run without a sandbox: bubblewrap is not installed")
    assert sum("without a sandbox" in message for message in messages(services, job)) == 1


def test_what_runs_no_code_of_users_says_nothing(services: ServicesOnly) -> None:
    create_job(services, "ex-generic-v2", config="sample-customers")
    job = claim(services)
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        Execution(services.stack, job, monitor, launchers("process", SandboxRule(), services.stack.database)).run()

    assert not any("without a sandbox" in message for message in messages(services, {"id": str(job.id)}))


@pytest.mark.parametrize("host", ["loopback", "0.0.0.0"])
def test_nothing_runs_where_a_sandbox_is_required(services: ServicesOnly, tmp_path: Path, host: str) -> None:
    add_component(services, tmp_path, "acme.hello", "print('hello')")
    if host == "loopback":
        add_project(services)
    job = execute(services, "acme.hello", SandboxRule(host=host))

    assert job["status"] == "error"
    told = " ".join(messages(services, job))
    assert "This stack runs components only in a sandbox: it " in told
    assert "Install the package bubblewrap" in told
    assert "hello" not in messages(services, job)


def test_the_setting_wins(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, "acme.hello", "print('hello')")
    add_project(services)
    rule = SandboxRule(setting="auto", host="0.0.0.0")
    job = execute(services, "acme.hello", rule)

    assert messages(services, job)[0].startswith("Components run without a sandbox")
