"""Fifty clients on four projects, one of them hostile: the other three see no error, wait no longer than they should,
and find in the end exactly what was acknowledged."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.soak.calls import Call
from tests.e2e.soak.programs import finish, start, tell, wait_until_ready
from tests.support.http import Http
from tests.support.stacks import ALL_THREADS, RunningStack, ServicesOnly
from tests.unit.services.fill import add_project

pytestmark = pytest.mark.faults

SHORT_SECONDS, LONG_SECONDS = 25, 300
SECONDS = int(os.environ.get("PENSTOCK_SOAK_SECONDS", SHORT_SECONDS))
IS_LONG = SECONDS >= LONG_SECONDS
P99_SECONDS = 1.0
ROUNDS = 30
"""However long it takes. In five minutes all clients together send half of what the stack could answer: more would
measure how they wait for each other, not for the hostile project."""
HONEST, CLIENTS_EACH = 3, 12
LIMITS = {
    "PENSTOCK_JOB_DISK_MEGABYTES": "200",
    "PENSTOCK_WORKERS": "3",
    "PENSTOCK_COMPONENT_NICENESS": "10",
    **ALL_THREADS,
}


class Soak(NamedTuple):
    stack: RunningStack
    tokens: list[str]
    honest: list[list[dict[str, Any]]]
    """By project and client."""
    hostile: dict[str, int]

    @property
    def clients(self) -> list[tuple[str, dict[str, Any]]]:
        return [(token, client) for token, project in zip(self.tokens, self.honest, strict=True) for client in project]

    @property
    def calls(self) -> list[Call]:
        return [Call(*call) for _, client in self.clients for call in client["calls"]]


@pytest.fixture(scope="module")
def soak(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Soak]:
    folder = tmp_path_factory.mktemp("soak") / "data"
    services = ServicesOnly(folder)
    tokens = [add_project(services, f"Project {number}").token for number in range(HONEST)]
    hostile_token = services.project.token
    services.close()
    stack = RunningStack(folder, variables=LIMITS)
    pause = SECONDS / ROUNDS
    honest = [start(stack, "honest", SECONDS, [token], clients=CLIENTS_EACH, pause=pause) for token in tokens]
    for process in honest:
        wait_until_ready(process)
    hostile = start(stack, "hostile", SECONDS, [hostile_token], bombMembers=800 if IS_LONG else 100)
    for process in honest:
        tell(process, "begin")
    reports = [finish(process, SECONDS) for process in honest]
    soak = Soak(stack, tokens, reports, finish(hostile, SECONDS))
    show(soak)
    yield soak
    stack.stop()


def show(soak: Soak) -> None:
    """What was measured, for whoever runs it with `-s`."""
    by_name: defaultdict[str, list[float]] = defaultdict(list)
    for call in soak.calls:
        by_name[call.name].append(call.seconds)
    every = [call.seconds for call in soak.calls]
    waits = [wait for _, client in soak.clients for wait in client["waits"]]
    print(f"\n{len(every)} requests, p50 {percentile(every, 50):.3f} s, p99 {percentile(every, 99):.3f} s")
    for name, taken in sorted(by_name.items()):
        print(f"  {name:<22} {len(taken):>6} p50 {percentile(taken, 50):.3f} p99 {percentile(taken, 99):.3f} s")
    print(f"loads and jobs: {len(waits)}, p50 {percentile(waits, 50):.1f} s, p99 {percentile(waits, 99):.1f} s")
    print(f"statuses: {Counter(call.status for call in soak.calls)}")
    print(f"hostile: {soak.hostile}")


def percentile(values: list[float], percent: int) -> float:
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def test_honest_clients_see_no_error(soak: Soak) -> None:
    failed = Counter(f"{call.name} {call.status}: {call.detail}" for call in soak.calls if call.status >= 400)

    assert failed == Counter()


@pytest.mark.skipif(not IS_LONG, reason="Beside other tests, and for a short while, it says nothing: see `make soak`.")
def test_honest_clients_wait_no_longer_than_they_should(soak: Soak) -> None:
    assert percentile([call.seconds for call in soak.calls], 99) < P99_SECONDS


def test_everything_that_honest_clients_began_has_ended_well(soak: Soak) -> None:
    assert [each for _, client in soak.clients for each in client["unfinished"]] == []


def test_everything_that_was_acknowledged_is_there_once_and_nothing_else(soak: Soak) -> None:
    assert all(client["rows"] for _, client in soak.clients), "there were clients whose loads were not even begun"
    for token, client in soak.clients:
        storage = Http(soak.stack.storage.base, token)
        table = storage.get(f"/v2/storage/tables/{client['table']}").json
        assert table["rowsCount"] == len(client["rows"]), client["table"]
        assert ids_of(storage, client["table"], client["rows"][-1000:]) == set(client["rows"][-1000:])
        events = storage.get(f"/v2/storage/events?runId=soak-{client['configuration']}&limit=10000").json
        assert len(events) == client["events"]
        path = f"/v2/storage/components/ex-generic-v2/configs/{client['configuration']}"
        assert storage.get(path).json["version"] == client["versions"]


def ids_of(storage: Http, table: str, wanted: list[str]) -> set[str]:
    """Of the rows that were loaded last: a preview shows no more than a thousand."""
    if not wanted:
        return set()
    loads = {each.rpartition("-")[0] for each in wanted}
    found: set[str] = set()
    for load in loads:
        shown = storage.get(f"/v2/storage/tables/{table}/data-preview?limit=1000&fulltextSearch={load}-&format=json")
        found |= {row[0]["value"] for row in shown.json["rows"]}
    return found & set(wanted)


def test_the_hostile_project_was_busy_and_the_stack_is_well(soak: Soak) -> None:
    assert sum(soak.hostile.values()) > 100
    assert soak.stack.process.poll() is None
    assert "does not stay up" not in soak.stack.errors
    assert soak.stack.storage.get("/v2/storage/tokens/verify").status == 200
