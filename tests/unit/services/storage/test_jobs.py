"""Storage's own jobs: which of them a list shows."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from urllib.parse import quote
from uuid import uuid4

import pytest

from penstock.foundation import clock
from penstock.services.storage.routes import jobs as routes
from penstock.services.storage.store import jobs as store
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.storage.loading import make_table, storage

TIMES = ("created_time", "start_time", "end_time")


@pytest.fixture
def http(services: ServicesOnly) -> Http:
    """A project with one job that has begun and ended; each of its times is on a day of its own."""
    http = storage(services)
    make_table(http, "id\n1\n")
    moments = [f"2026-01-0{day} 10:00:00.500000" for day in (1, 2, 3)]
    with sqlite3.connect(services.stack.folder / "metadata.sqlite") as database:
        database.execute("UPDATE storage_jobs SET created_time = ?, start_time = ?, end_time = ?", moments)
    database.close()
    return http


def count(http: Http, **asked: str) -> int:
    return len(http.get("/jobs?" + "&".join(f"{key}={quote(value)}" for key, value in asked.items())).json)


@pytest.mark.parametrize(("field", "day"), list(zip(TIMES, (1, 2, 3), strict=True)))
def test_jobs_are_found_by_each_of_their_times(http: Http, field: str, day: int):
    at = datetime(2026, 1, day, 10)
    before, after = ((at + timedelta(seconds=seconds)).isoformat() + "+00:00" for seconds in (-1, 1))

    assert count(http, **{f"{field}_from": before}) == count(http, **{f"{field}_to": after}) == 1
    assert count(http, **{f"{field}_from": after}) == count(http, **{f"{field}_to": before}) == 0
    assert count(http, **{f"{field}_from": before, f"{field}_to": after}) == 1


@pytest.mark.parametrize(("field", "day"), list(zip(TIMES, (1, 2, 3), strict=True)))
def test_a_time_by_itself_is_its_second_and_a_date_its_day(http: Http, field: str, day: int):
    assert count(http, **{field: f"2026-01-0{day}T10:00:00+00:00"}) == 1
    assert count(http, **{field: f"2026-01-0{day}T10:00:01+00:00"}) == 0
    assert count(http, **{field: f"2026-01-0{day}"}) == 1
    assert count(http, **{field: f"2026-01-0{day + 1}"}) == 0


def test_all_that_is_said_of_times_has_to_be_so(http: Http):
    assert count(http, created_time="2026-01-01", end_time="2026-01-03") == 1
    assert count(http, created_time="2026-01-01", end_time="2026-01-01") == 0


@pytest.mark.usefixtures("answers_at_once")
def test_a_job_that_has_not_begun_has_no_time_to_find_it_by(services: ServicesOnly):
    http = storage(services)
    services.stop_worker()
    http.post("/dev-branches", {"name": "Foo"})

    assert (count(http), count(http, start_time_from="-1 day"), count(http, end_time_to="+1 day")) == (1, 0, 0)


@pytest.mark.parametrize("field", [f"{time}{end}" for time in TIMES for end in ("", "_from", "_to")])
def test_an_invalid_time_is_reported(shared: ServicesOnly, field: str):
    response = storage(shared).get(f"/jobs?{field}=nonsense")

    assert response.status == 400
    assert f"- {field}: " in response.json["error"]


@pytest.mark.parametrize("text", ["9999-12-31", "9999-12-31T23:59:59Z", "0001-01-01", "99999999999", "10000-01-01"])
def test_the_ends_of_time_break_nothing(shared: ServicesOnly, text: str):
    assert storage(shared).get(f"/jobs?created_time={quote(text)}").status in (200, 400)


def test_a_waiting_request_is_notified_of_the_end_of_a_job(services: ServicesOnly):
    http, stack = storage(services), services.stack
    services.stop_worker()
    http.post("/buckets", {"name": "main"})
    with ThreadPoolExecutor() as clients:
        asked = clients.submit(http.delete, "/buckets/in.c-main")
        number = wait_for(lambda: [job["id"] for job in http.get("/jobs?storage_job_status[]=waiting").json])[0]
        assert not asked.done()
        with stack.database.writing() as tx:
            job = store.find_job(tx, services.project.id, number)
            assert job
            store.finish_job(tx, job, clock.now(), None)

        assert asked.result().status == 204


def test_a_response_is_not_held_back_for_a_job_that_is_in_a_queue(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(routes, "SHORT_SECONDS", 600.0)
    http = storage(services)
    services.stop_worker()
    with ThreadPoolExecutor() as clients:
        asked = clients.submit(http.post, "/dev-branches", {"name": "Foo"})

        # Only writes are noticed, and a stack with a queue has many.
        assert wait_for(lambda: http.post("/buckets", {"name": uuid4().hex}).status == 201 and asked.done())
        assert (asked.result().status, asked.result().json["status"]) == (202, "waiting")
