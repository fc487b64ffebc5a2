"""The progress line of a running job."""

from __future__ import annotations

import io
from collections.abc import Generator

import pytest

from penstock.cli.progress import Progress
from penstock.client import Client, Event, Job, connect
from tests.support.stacks import ServicesOnly


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def line(self) -> str:
        return self.getvalue().rpartition("\x1b[K")[2]


@pytest.fixture
def client(shared: ServicesOnly) -> Generator[Client]:
    with connect(f"http://127.0.0.1:{shared.port}/_svc/storage", shared.project.token) as client:
        yield client


def event(message: str) -> Event:
    return Event(id="1", message=message, run_id="7")


JOB = Job(id="7", status="processing", component="c")


def test_rows_so_far_and_the_rate_come_from_the_log(client: Client) -> None:
    terminal = Terminal()
    progress = Progress(client, terminal)
    progress.show(JOB)
    assert terminal.line == "processing, 0:00"

    progress.read(event("In progress: 3 pages, 1,200 records so far, after 60 seconds."))
    progress.show(JOB)
    assert terminal.line == "processing, 0:00, 1,200 rows, 20 rows/s"
    progress.clear()
    assert terminal.line == ""


def test_a_flow_shows_its_tasks(client: Client, shared: ServicesOnly) -> None:
    wish = {"mode": "run", "component": "ex-generic-v2", "config": "sample-orders", "delay": 3600}
    parent = shared.service("queue").post("/jobs", wish).json["id"]
    child = shared.service("queue").post("/jobs", {**wish, "parentRunId": parent}).json
    assert child["parentRunId"] == parent
    client.jobs.terminate(child["id"])
    terminal = Terminal()
    Progress(client, terminal).show(Job(id=parent, status="processing", component="c", type="orchestrationContainer"))

    assert terminal.line == "processing, 1 tasks done, 0:00"


def test_nothing_is_written_into_a_pipe(client: Client) -> None:
    pipe = io.StringIO()
    progress = Progress(client, pipe)
    progress.show(JOB)
    progress.clear()

    assert pipe.getvalue() == ""
