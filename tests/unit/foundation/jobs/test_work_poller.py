"""When a worker tries to claim a job: whatever can be claimed is tried, and nothing is read in vain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert

from penstock.foundation import clock
from penstock.foundation.database import Database
from penstock.foundation.jobs.claims import LEASE
from penstock.foundation.jobs.worker import WorkPoller
from tests.unit.foundation.jobs.conftest import CountingDatabase
from tests.unit.foundation.jobs.greetings import CLAIMS, add_greetings, greetings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MOMENT = timedelta(milliseconds=1)


def add_job(database: Database, **values: Any) -> None:
    add_greetings(database, "Ada")
    with database.writing() as tx:
        tx.change(greetings.update().values(**values))


def set_time(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(clock, "source", lambda: now)


def test_without_a_job_it_reads_once(counting: CountingDatabase) -> None:
    poller = WorkPoller(counting, CLAIMS)

    assert not any(poller.should_claim() for _ in range(20))
    assert counting.reads == 1


def test_a_new_job_is_claimed_at_once(counting: CountingDatabase) -> None:
    poller = WorkPoller(counting, CLAIMS)
    assert not poller.should_claim()
    add_greetings(counting, "Ada")

    assert poller.should_claim()


@pytest.mark.parametrize(
    "values",
    [{"delayed_until": NOW + LEASE}, {"status": "processing", "worker": "other", "lease_until": NOW + LEASE}],
    ids=["delay", "lease"],
)
def test_the_end_of_a_delay_or_a_lease_is_noticed_although_nothing_is_written(
    counting: CountingDatabase, monkeypatch: pytest.MonkeyPatch, values: dict[str, Any]
) -> None:
    set_time(monkeypatch, NOW)
    add_job(counting, **values)
    poller = WorkPoller(counting, CLAIMS)

    assert not any(poller.should_claim() for _ in range(20))
    assert counting.reads == 1
    set_time(monkeypatch, NOW + LEASE + MOMENT)
    assert poller.should_claim()


def test_a_job_that_cannot_be_claimed_is_tried_again_soon_and_not_at_once(
    counting: CountingDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_time(monkeypatch, NOW)
    add_greetings(counting, "Ada")
    poller = WorkPoller(counting, CLAIMS)

    assert [poller.should_claim() for _ in range(3)] == [True, False, False]
    set_time(monkeypatch, NOW + timedelta(seconds=1))
    assert poller.should_claim()


@pytest.mark.parametrize(("delay", "seconds"), [(None, 5.0), (2.0, 2.0), (-1.0, 0.5), (0.001, 0.1), (60.0, 5.0)])
def test_it_says_how_long_a_worker_may_wait(
    counting: CountingDatabase, monkeypatch: pytest.MonkeyPatch, delay: float | None, seconds: float
) -> None:
    set_time(monkeypatch, NOW)
    if delay is not None:
        add_job(counting, delayed_until=NOW + timedelta(seconds=delay))
    poller = WorkPoller(counting, CLAIMS)
    poller.should_claim()

    assert poller.seconds_to_wait() == pytest.approx(seconds)


TIMES = st.none() | st.integers(-2, 2).map(lambda seconds: NOW + timedelta(seconds=seconds))
JOBS = st.lists(
    st.tuples(st.sampled_from(["created", "waiting", "processing", "terminating"]), TIMES, TIMES, st.booleans()),
    max_size=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(JOBS)
def test_the_due_time_is_when_a_claim_finds_something(database: Database, rows: list[tuple[Any, ...]]) -> None:
    with database.writing() as tx:
        tx.change(delete(greetings))
    for number, row in enumerate(rows):
        add_row(database, number, *row)
    with database.reading() as tx:
        due = CLAIMS.find_due_time(tx, NOW)

    assert can_claim(database, due + MOMENT if due else NOW + timedelta(days=1)) is (due is not None)
    assert due is None or due <= NOW or not can_claim(database, due - MOMENT)


def add_row(
    database: Database, number: int, status: str, delay: datetime | None, lease: datetime | None, is_finished: bool
) -> None:
    is_ready = status in ("created", "waiting")
    times = {"delayed_until": delay} if is_ready else {"lease_until": lease, "worker": "other"}
    new = {"project_id": number % 2, "name": "Ada", "created_time": NOW, "attempt": 0, "lost_leases": 0}
    row = {"id": number + 1, "status": status, "is_finished": is_finished, **new, **times}
    with database.writing() as tx:
        tx.change(insert(greetings), [row])


def can_claim(database: Database, now: datetime) -> bool:
    """Without claiming it."""
    with pytest.raises(Undone) as undone, database.claiming() as tx:
        raise Undone(CLAIMS.claim(tx, "w", now))
    return undone.value.args[0] is not None


class Undone(Exception):
    """Rolls back what the block did."""
