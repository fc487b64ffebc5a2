"""How many jobs ended by day and status: the same as a count over all of them, before and after hours are added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from penstock.foundation import clock
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.totals import add_up_hours
from penstock.services.queue.store.jobs import jobs, read_job
from penstock.services.queue.store.totals import hours
from tests.support.stacks import ServicesOnly
from tests.unit.services.billing.ledger import claimed, end
from tests.unit.services.each_database import emptied
from tests.unit.services.fill import add_project
from tests.unit.services.queue.jobs import add_job
from tests.unit.services.scheduler.schedules import clock_at

ENDS = (Status.SUCCESS, Status.ERROR, Status.WARNING, Status.TERMINATED)
BRANCH = 4242


@pytest.fixture
def project(shared: ServicesOnly) -> Generator[ServicesOnly]:
    """Without jobs, and with a clock that stands still, so that no day begins between two counts."""
    with clock_at(clock.now()):
        yield emptied(shared, "queue_")


def fill(services: ServicesOnly) -> None:
    """Jobs of ten weeks: several of each hour of some days, and of the last minutes, of two branches and components."""
    now = clock.now()
    for number in range(240):
        ago = timedelta(minutes=7 * number) if number % 2 else timedelta(days=number % 70, minutes=number)
        fields: dict[str, Any] = {"branch_id": BRANCH} if number % 5 == 0 else {}
        status = ENDS[number % len(ENDS)]
        rows = number if status is Status.SUCCESS else 0
        component = ("ex-generic-v2", "keboola.flow")[number % 3 == 0]
        ended_job(services, ago=ago, status=status, rows_written=rows, component=component, now=now, **fields)
    add_job(services, status=Status.PROCESSING, start_time=now)
    add_job(services, status=Status.CREATED, branch_id=BRANCH)


def ended_job(services: ServicesOnly, ago: timedelta, now: Any = None, **fields: Any) -> JobRow:
    end_time = (now or clock.now()) - ago
    start = end_time - timedelta(seconds=3)
    return add_job(services, start_time=start, end_time=end_time, created_time=start, **fields)


def read_totals(services: ServicesOnly, query: str = "", token: str | None = None) -> dict[str, Any]:
    response = services.service("queue", token).get(f"/stats/jobs?{query}")
    assert response.status == 200, response.text
    return response.json


def count_slowly(services: ServicesOnly, days: int, branch_id: int | None = None) -> dict[str, Any]:
    """The same figures, from every job."""
    with services.stack.database.reading() as tx:
        rows = [read_job(row) for row in tx.connection.execute(select(jobs)).mappings()]
    mine = [job for job in rows if branch_id in (None, job.branch_id)]
    since = clock.now().date() - timedelta(days=days - 1)
    ended = [job for job in mine if job.end_time and job.end_time.date() >= since]
    return {
        "statuses": Counter(str(job.status) for job in ended),
        "rowsWritten": sum(job.rows_written for job in ended),
        "unfinished": Counter(str(job.status) for job in mine if not job.is_finished),
        "days": Counter(f"{job.end_time.date()} {job.status}" for job in ended if job.end_time),
    }


def condensed(totals: dict[str, Any]) -> dict[str, Any]:
    days = {f"{each['day']} {name}": count for each in totals["days"] for name, count in each["statuses"].items()}
    return {**{name: totals[name] for name in ("statuses", "rowsWritten", "unfinished")}, "days": days}


@pytest.mark.parametrize("days", [1, 14, 90])
def test_totals_are_those_of_a_count_of_all_jobs(project: ServicesOnly, days: int) -> None:
    fill(project)
    before = read_totals(project, f"days={days}")
    add_up_hours(project.stack)
    add_up_hours(project.stack)
    after = read_totals(project, f"days={days}")

    assert len(before["days"]) == days
    assert condensed(before) == count_slowly(project, days)
    assert after == before
    assert condensed(read_totals(project, f"days={days}&branchId={BRANCH}")) == count_slowly(project, days, BRANCH)


def test_hours_that_are_over_are_added_up_and_the_last_one_is_counted(project: ServicesOnly) -> None:
    fill(project)
    add_up_hours(project.stack)
    with project.stack.database.reading() as tx:
        kept = tx.value(select(func.sum(hours.c.jobs)))
        newest = tx.value(select(func.max(hours.c.hour)))
    assert 200 < kept < 240
    assert clock.now() - newest >= timedelta(hours=2)

    ended_job(project, ago=timedelta(0), status=Status.ERROR)
    assert condensed(read_totals(project)) == count_slowly(project, 14)


def test_a_token_counts_the_jobs_that_it_sees(project: ServicesOnly) -> None:
    fill(project)
    add_up_hours(project.stack)
    body = {"description": "flows", "componentAccess": ["keboola.flow"]}
    token = project.service("storage").post("/v2/storage/tokens", body).json["token"]
    other = add_project(project)

    assert sum(read_totals(project, "days=90", token)["statuses"].values()) == 80
    nothing = read_totals(project, "days=90", other.token)
    assert (nothing["statuses"], nothing["unfinished"], nothing["lastSuccess"]) == ({}, {}, None)


def test_a_job_that_ends_is_counted_with_its_rows(project: ServicesOnly) -> None:
    end(project, claimed(project, 1), rows=1250)

    totals = read_totals(project)
    assert (totals["statuses"], totals["rowsWritten"]) == ({"success": 1}, 1250)
    assert totals["days"][-1]["rowsWritten"] == 1250
    assert totals["lastSuccess"]["status"] == "success"


def test_configurations_fail_until_they_succeed(project: ServicesOnly) -> None:
    for config, status in [("a", "error"), ("b", "error"), ("c", "success"), ("c", "error"), ("b", "success")]:
        ended_job(project, ago=timedelta(minutes=1), config=config, status=Status(status))
    ended_job(project, ago=timedelta(minutes=1), config="d", status=Status.ERROR, parent_run_id="1.2")
    ended_job(project, ago=timedelta(days=20), config="e", status=Status.ERROR)

    assert [job["config"] for job in read_totals(project)["failing"]] == ["c", "a"]
    assert read_totals(project)["lastSuccess"]["config"] == "b"
    assert [job["config"] for job in read_totals(project, "days=30")["failing"]] == ["e", "c", "a"]


@pytest.mark.parametrize("query", ["days=0", "days=91", "days=x", "days=1e3"])
def test_days_that_cannot_be_counted_are_refused(shared: ServicesOnly, query: str) -> None:
    response = shared.service("queue").get(f"/stats/jobs?{query}")

    assert response.status == 400
    assert "days" in response.text
