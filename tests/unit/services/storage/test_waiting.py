"""Requests that wait for a job of Storage: without a thread each, and with a response that tells whose error it is."""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from penstock.foundation.errors import Unavailable
from penstock.services.storage.errors.jobs import OURS
from penstock.services.storage.operations.work import OPERATIONS
from penstock.services.storage.routes import jobs
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.storage.loading import make_table, storage, working

WAITING = 44
"""More than there are threads."""
ROWS = "id,name\n1,a\n"


def usual_seconds(http: Http, times: int = 10) -> float:
    """The median of so many requests that cannot be answered without the database, since a job was made before each."""
    found: list[float] = []
    for number in range(times):
        http.post("/events", {"message": f"{number}", "component": "test"})
        since = time.monotonic()
        assert http.get("/tokens/verify").status == 200
        found.append(time.monotonic() - since)
    return statistics.median(found)


def test_requests_that_wait_for_a_job_do_not_delay_others(
    services_on_each: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LONG_SECONDS", PATIENCE)
    http = storage(services_on_each)
    make_table(http, ROWS)
    services_on_each.stop_worker()
    usual = usual_seconds(http)
    with ThreadPoolExecutor(WAITING) as clients:
        asked = [clients.submit(http.delete, "/tables/in.c-main.users?force=1") for _ in range(WAITING // 2)]
        rows = {"name": "new", "data": ROWS}
        asked += [clients.submit(http.post, "/buckets/in.c-main/tables", rows) for _ in range(WAITING // 2)]
        wait_for(lambda: len(http.get("/jobs?limit=200&storage_job_status[]=waiting").json) == WAITING)
        disturbed = usual_seconds(http)
        is_waiting = not any(each.done() for each in asked)
        with working(services_on_each.stack):
            responses = [each.result() for each in asked]

    assert is_waiting
    # On a machine that others use too; with a thread each they would wait until the jobs are done.
    assert disturbed < max(20 * usual, 5)
    assert all(response.status < 500 and "stillRunning" not in response.text for response in responses)


def test_a_request_that_has_waited_long_is_told_that_its_job_still_runs(
    services_on_each: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LONG_SECONDS", 0.1)
    http = storage(services_on_each)
    make_table(http, ROWS)
    services_on_each.stop_worker()

    responses = ask_all(http)

    assert {(response.status, response.json["code"]) for response in responses} == {(409, "storage.jobs.stillRunning")}


def ask_all(http: Http) -> list[Any]:
    """Every call that waits."""
    return [
        http.delete("/tables/in.c-main.users?force=1"),
        http.delete("/buckets/in.c-main?force=1"),
        http.post("/buckets/in.c-main/tables", {"name": "new", "data": ROWS}),
        http.post("/tables/in.c-main.users/import", {"data": ROWS}),
    ]


def test_a_job_that_fails_internally_is_not_a_400(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    http = storage(services)
    make_table(http, ROWS)

    def break_down(*_: Any) -> Any:
        raise RuntimeError("a defect")

    for operation in OPERATIONS:
        monkeypatch.setitem(OPERATIONS, operation, break_down)

    assert [(each.status, each.json["code"]) for each in ask_all(http)] == [(500, "storage.internalError")] * 4


def test_a_job_that_fails_through_its_callers_fault_is_a_400(services: ServicesOnly) -> None:
    http = storage(services)
    make_table(http, ROWS)
    response = http.post("/tables/in.c-main.users/import", {"data": "other,columns\n1,2\n"})

    assert 400 <= response.status < 500, response.text


def test_every_way_to_be_unavailable_is_distinguished_from_an_error_of_the_caller() -> None:
    def below(kind: type[Unavailable]) -> list[type[Unavailable]]:
        return [kind, *(each for child in kind.__subclasses__() for each in below(child))]

    own = {kind.code for kind in below(Unavailable) if kind.code and kind.__module__.startswith("penstock.")}
    # Those of the registry of images are OCI's, and in capitals.
    codes = {code for code in own if not code.isupper()}

    assert codes <= OURS.keys()
    assert set(OURS.values()) == {500, 503}
