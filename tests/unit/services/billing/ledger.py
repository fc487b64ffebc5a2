"""Jobs that are ended by hand on a clock that is set, and the ledger, computed again from the table of jobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
from sqlalchemy import select

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.billing.store import accounts, days, entries
from penstock.services.management import interface as management
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.results import Output, Result, TableRef
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.running.leases import JobOutcome
from penstock.services.queue.store.jobs import jobs, read_job
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.jobs import add_job
from tests.unit.services.scheduler.schedules import clock_at

NOON = datetime(2026, 6, 1, 12, 0, 30, tzinfo=UTC)
HOUR_PRICES = {"extractor": "2", "application": "1", "writer": "0", "other": "0"}
BY_SIZE = {"": "6", "small": "6", "medium": "12", "large": "26"}
WRITER_GIGABYTE = Fraction("0.2")
FREE = Fraction(3600)
"""Seconds a month."""


def run_job(services: ServicesOnly, seconds: float, **fields: Any) -> JobRow:
    """One that runs for so long, as its worker would end it; it ends now."""
    outcome: dict[str, Any] = {"status": Status.SUCCESS, **{k: fields.pop(k) for k in ("status",) if k in fields}}
    metrics, rows = fields.pop("metrics", {}), fields.pop("rows", 0)
    with clock_at(clock.now()):
        job = claimed(services, seconds, **fields)
        end(services, job, rows=rows, metrics=metrics, **outcome)
    return job


def claimed(services: ServicesOnly, seconds: float = 0, **fields: Any) -> JobRow:
    """A job that a worker has held for so long."""
    start = clock.now() - timedelta(seconds=seconds)
    held = {"worker": "tests", "attempt": 1, "lease_until": clock.now() + timedelta(minutes=1)}
    return add_job(services, status=Status.PROCESSING, start_time=start, **held, **fields)


def end(
    services: ServicesOnly, job: JobRow, status: Status = Status.SUCCESS, rows: int = 0, metrics: Any = None
) -> None:
    counted = [{"name": "importedRowsCount", "value": rows}]
    table = TableRef(id="in.c-a.b", name="b", display_name="b", columns=[], metrics=counted)
    result = Result(message="Ended.", output=Output(tables=[table] if rows else []))
    outcome = JobOutcome(status=status, result=result, metrics=metrics or {})
    leases.finish_job(services.stack, caller_of(job), job, outcome)


def pay_as_you_go(services: ServicesOnly, project_id: int, *, is_on: bool = True) -> None:
    with services.stack.database.writing() as tx:
        management.set_feature(tx, project_id, management.PAY_AS_YOU_GO, is_on=is_on)


def top_up(services: ServicesOnly, project_id: int, amount: str) -> None:
    with services.stack.database.writing(project_id) as tx:
        management.add_credits(tx, project_id, Decimal(amount), "a test")


def manager(services: ServicesOnly, *scopes: str) -> Http:
    with services.stack.database.writing() as tx:
        _, token = management.create_manage_token(tx, "tests", list(scopes))
    return Http(services.service("billing").base, None, headers={"X-KBC-ManageApiToken": token})


def read_all(services: ServicesOnly, table: Any) -> list[dict[str, Any]]:
    with services.stack.database.reading() as tx:
        order = list(table.primary_key)
        return [dict(row) for row in tx.connection.execute(select(table).order_by(*order)).mappings()]


def entries_of(services: ServicesOnly, project_id: int) -> list[dict[str, Any]]:
    return [entry for entry in read_all(services, entries) if entry["project_id"] == project_id]


def check_ledger(services: ServicesOnly, pay_as_you_go_projects: frozenset[int] = frozenset()) -> int:
    """Hold it against the table of jobs and its totals against it; returns how many entries there are."""
    with services.stack.database.reading() as tx:
        ran = _read_jobs(tx)
    found = read_all(services, entries)
    charged = {int(entry["reference"]): entry for entry in found if entry["kind"] == "job"}
    assert set(charged) == set(ran)
    assert len(charged) == sum(entry["kind"] == "job" for entry in found)
    for job_id, job in ran.items():
        _check_entry(charged[job_id], job)
    _check_amounts([entry for entry in found if entry["kind"] == "job"], ran, pay_as_you_go_projects)
    _check_totals(services, found)
    return len(found)


def _read_jobs(tx: Transaction) -> dict[int, JobRow]:
    found = tx.connection.execute(select(jobs).where(jobs.c.is_finished, jobs.c.start_time.is_not(None))).mappings()
    return {job.id: job for job in map(read_job, found) if job.type is Kind.STANDARD}


def _check_entry(entry: Mapping[str, Any], job: JobRow) -> None:
    assert job.start_time
    assert job.end_time
    assert entry["project_id"] == job.project_id
    assert (entry["component"], entry["configuration"]) == (job.component, job.config or "")
    assert timedelta(microseconds=entry["duration"]) == job.end_time - job.start_time
    tables = msgspec.json.decode(job.result).get("output", {}).get("tables", [])
    assert entry["rows"] == sum(each["value"] for table in tables for each in table.get("metrics", []))
    assert entry["bytes"] == _count_bytes(job)


def _count_bytes(job: JobRow) -> int:
    name = "inputTablesBytesSum" if job.component_type == "writer" else "outputTablesBytesSum"
    return job.metrics.get("storage", {}).get(name, 0)


def _check_amounts(found: list[dict[str, Any]], ran: Mapping[int, JobRow], metered: frozenset[int]) -> None:
    """In the order of the ledger: the first jobs of a month use its free minutes."""
    free: dict[tuple[int, str], Fraction] = defaultdict(lambda: FREE)
    for entry in found:
        job = ran[int(entry["reference"])]
        size = job.backend.get("type") or job.backend.get("containerType") or ""
        price = Fraction(BY_SIZE[size] if job.component_type == "transformation" else HOUR_PRICES[job.component_type])
        seconds, key = Fraction(entry["duration"], 10**6), (job.project_id, entry["day"][:7])
        given = min(seconds, free[key]) if job.project_id in metered and price else Fraction(0)
        free[key] -= given
        assert Fraction(entry["free"], 10**6) == given
        amount = _to_nearest((seconds - given) * price / 3600)
        if job.component_type == "writer":
            amount += _to_nearest(entry["bytes"] * WRITER_GIGABYTE / 10**9)
        assert entry["amount"] == amount, entry


def _to_nearest(credits_used: Fraction) -> int:
    return (credits_used * 10**6 + Fraction(1, 2)).__floor__()


def check_ledger_totals(services: ServicesOnly) -> None:
    """The totals, held against the entries."""
    _check_totals(services, read_all(services, entries))


def _check_totals(services: ServicesOnly, found: list[dict[str, Any]]) -> None:
    names = ("duration", "free", "bytes", "rows", "amount")
    by_day: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0] * 6)
    spent: dict[int, int] = defaultdict(int)
    for entry in found:
        key = tuple(entry[name] for name in ("project_id", "day", "kind", "component", "configuration"))
        by_day[key] = [a + b for a, b in zip(by_day[key], [1, *(entry[name] for name in names)], strict=True)]
        spent[entry["project_id"]] += entry["amount"]
    stored = {
        tuple(day[name] for name in ("project_id", "day", "kind", "component", "configuration")): [
            day[name] for name in ("entries", *names)
        ]
        for day in read_all(services, days)
    }
    assert stored == dict(by_day)
    assert {each["project_id"]: each["jobs"] + each["workspaces"] for each in read_all(services, accounts)} == spent
    owed: dict[int, int] = defaultdict(int)
    for entry in found:
        assert entry["owed"] in (0, entry["amount"])
        owed[entry["project_id"]] += entry["owed"]
    assert {each["project_id"]: each["owed"] for each in read_all(services, accounts)} == owed
