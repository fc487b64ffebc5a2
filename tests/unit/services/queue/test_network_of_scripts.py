"""What a Python transformation and a component of one's own reach from a job."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.runtime.sandboxing import SandboxRule
from penstock.services.queue.execution import Execution
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running.monitor import JobMonitor
from penstock.services.queue.worker import launchers
from tests.support.sandbox import NEEDS_SANDBOX
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component, claim, create_job, messages

pytestmark = NEEDS_SANDBOX

REACH = """
import os, socket, urllib.request
port = {port}
print("port", socket.socket().connect_ex(("127.0.0.1", port)) == 0)
proxy = urllib.request.ProxyHandler({{"http": os.environ.get("HTTP_PROXY", "http://127.0.0.1:1")}})
urllib.request.proxy_bypass = lambda *_: False
for url in (f"http://127.0.0.1:{{port}}/", "http://169.254.169.254/latest/meta-data/"):
    try:
        print("status", urllib.request.build_opener(proxy).open(url, timeout=20).status)
    except urllib.error.HTTPError as error:
        print("status", error.code)
    except OSError as error:
        print("nothing")
"""


@pytest.fixture
def services(new_data_folder: Path, tmp_path: Path) -> Generator[ServicesOnly]:
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = ServicesOnly(tmp_path / "data")
    yield stack
    stack.close()


def run(services: ServicesOnly, component_id: str, document: dict[str, Any], network: str = "gate") -> list[str]:
    create_job(services, component_id, configData=document)
    job = claim(services)
    choose = launchers("process", SandboxRule(setting="required"), services.stack.database, network)
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        Execution(services.stack, job, monitor, choose).run()
    known = ("port ", "status ", "nothing")
    return [line for line in messages(services, {"id": str(job.id)}) if line.startswith(known)]


def test_a_script_reaches_neither_the_stack_nor_the_metadata_of_a_cloud(services: ServicesOnly) -> None:
    code = {"name": "c", "script": [REACH.format(port=services.port)]}
    document = {"parameters": {"blocks": [{"name": "b", "codes": [code]}]}}

    assert run(services, "keboola.python-transformation-v2", document) == ["port False", "status 403", "status 403"]


@pytest.mark.parametrize(
    ("network", "manifest", "seen"),
    [
        ("gate", {}, ["port False", "status 403", "status 403"]),
        ("gate", {"network": "none"}, ["port False", "nothing", "nothing"]),
        ("open", {}, ["port True", "nothing", "nothing"]),
    ],
)
def test_a_component_reaches_what_its_definition_and_the_setting_say(
    services: ServicesOnly, tmp_path: Path, network: str, manifest: dict[str, str], seen: list[str]
) -> None:
    add_component(services, tmp_path, "acme.reach", REACH.format(port=services.port), **manifest)

    assert run(services, "acme.reach", {}, network) == seen
