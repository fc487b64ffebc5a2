"""How the common queries are answered: by an index, however many jobs there are."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, event

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.searching import Asked, Order
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.store import jobs as store
from penstock.services.queue.store.jobs import claim_job, find_job, has_unfinished, jobs, list_unfinished_ids
from penstock.services.queue.store.searching import Scope, search_groups, search_jobs, search_newest
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.jobs import add_job

JOBS = 50_000
NEWEST = Order("id", True)
FIRST = 10_000_000


pytestmark = pytest.mark.parametrize("shared", ["sqlite"], indirect=True, scope="module")
"""What is read here are SQLite's plans; PostgreSQL has the same indexes."""


@pytest.fixture(scope="module")
def scope(shared: ServicesOnly) -> Scope:
    model = add_job(shared, config="0", status=Status.SUCCESS)
    changed = {"id": f"{FIRST} + i", "config": "CAST(i % 1000 AS TEXT)"}
    names = [column.name for column in jobs.columns]
    values = ", ".join(changed.get(name, name) for name in names)
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {JOBS})"
    with shared.stack.database.writing() as tx:
        tx.connection.exec_driver_sql(
            f"INSERT INTO queue_jobs ({', '.join(names)}) {numbers} SELECT {values} FROM queue_jobs, n WHERE id = ?",
            (model.id,),
        )
    return Scope(project_id=model.project_id, token_id=model.token_id, sees_all=True)


def plan_of(tx: Transaction, ask: Any) -> tuple[list[str], list[JobRow]]:
    """What the database says it does, and what it finds."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        statements.append((statement, parameters))

    event.listen(tx.connection, "before_cursor_execute", note)
    found = ask()
    plans = [
        tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
        for statement, parameters in list(statements)
    ]
    return [row[3] for plan in plans for row in plan], found


@pytest.mark.parametrize(
    ("lists", "index", "count"),
    [
        ({}, "queue_jobs_by_project (project_id=?)", 100),
        ({"component": ["ex-generic-v2"], "config": ["7"]}, "queue_jobs_by_config", 50),
        ({"status": ["success"]}, "queue_jobs_by_status (project_id=? AND status=?)", 100),
        ({"status": ["error"]}, "queue_jobs_by_status (project_id=? AND status=?)", 0),
        ({"status": ["created", "waiting", "processing"]}, "queue_jobs_", 0),
    ],
)
def test_a_common_question_is_answered_by_an_index(
    shared: ServicesOnly, scope: Scope, lists: dict[str, Any], index: str, count: int
) -> None:
    asked = Asked(lists=lists)
    with shared.stack.database.reading() as tx:
        plan, found = plan_of(tx, lambda: search_jobs(tx, scope, asked, NEWEST, 100, 0))

    assert len(found) == count
    assert plan[0].startswith("SEARCH queue_jobs USING INDEX")
    assert index in plan[0]
    assert len(plan) == 1 or len(lists.get("status", [])) > 1, "it sorts"


QUESTIONS: dict[str, Callable[[Transaction, JobRow], Any]] = {
    "claim": lambda tx, _job: claim_job(tx, "worker", clock.now(), 10),
    "same lock": has_unfinished,
    "unfinished": lambda tx, _job: list_unfinished_ids(tx),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_jobs_that_have_ended_are_not_looked_at_for_those_that_have_not(
    shared: ServicesOnly, scope: Scope, name: str
) -> None:
    with shared.stack.database.writing() as tx:
        job = find_job(tx, scope.project_id, FIRST)
        assert job
        locked = msgspec.structs.replace(job, lock_key="x")
        # So that there is something to claim.
        store.add_job(tx, msgspec.structs.replace(job, id=FIRST - 1, status=Status.CREATED, is_finished=False))
        plan, _ = plan_of(tx, lambda: QUESTIONS[name](tx, locked))
        tx.change(delete(jobs).where(jobs.c.id == FIRST - 1))

    # The one that was found is changed by its id; and how many run is looked up in what was just counted.
    looked = [line for line in plan if "INDEX" in line and "(id=?)" not in line and "AUTOMATIC" not in line]
    assert looked
    narrow = ("queue_jobs_unfinished", "queue_jobs_running", "queue_jobs_ready")
    assert all(any(name in line for name in narrow) for line in looked), plan


def count_steps(tx: Transaction, query: Callable[[], Any]) -> tuple[int, Any]:
    """Thousands of steps that SQLite makes for a query, which depend on the plan and not on the machine; and what it
    finds."""
    steps = itertools.count()
    connection: Any = tx.connection.connection.driver_connection
    connection.set_progress_handler(lambda: next(steps) < 0, 1000)
    try:
        found = query()
        return next(steps), found
    finally:
        connection.set_progress_handler(None, 0)


def test_many_rows_are_one_question(shared: ServicesOnly, scope: Scope) -> None:
    rows = [str(number) for number in range(500)]
    with shared.stack.database.reading() as tx:
        few, _ = count_steps(tx, lambda: search_jobs(tx, scope, Asked(row_ids=rows[:5]), NEWEST, 100, 0))
        many, found = count_steps(tx, lambda: search_jobs(tx, scope, Asked(row_ids=rows), NEWEST, 100, 0))

    assert found == []
    assert many < 3 * few, "it looked for each row by itself"


def test_groups_are_one_question(shared: ServicesOnly, scope: Scope) -> None:
    columns = ["componentId", "configId"]
    with shared.stack.database.reading() as tx:
        few, _ = count_steps(tx, lambda: search_groups(tx, scope, Asked(), columns, 2, NEWEST, 1))
        many, found = count_steps(tx, lambda: search_groups(tx, scope, Asked(), columns, 2, NEWEST, 100))

    assert len(found) == 200
    assert many < 3 * few, "it asked for each group by itself"


def test_the_newest_jobs_come_at_once(shared: ServicesOnly, scope: Scope) -> None:
    with shared.stack.database.reading() as tx:
        steps, found = count_steps(tx, lambda: search_jobs(tx, scope, Asked(), NEWEST, 100, 0))

    assert [job.id for job in found] == list(range(FIRST + JOBS - 1, FIRST + JOBS - 101, -1))
    assert 1000 * steps < JOBS, "it looked at every job"


def test_the_last_jobs_of_some_configurations_are_found_by_their_index(shared: ServicesOnly, scope: Scope) -> None:
    configs = [str(number) for number in range(100)]
    asked = Asked(lists={"component": ["ex-generic-v2"], "config": configs})
    with shared.stack.database.reading() as tx:
        plan, found = plan_of(tx, lambda: search_newest(tx, scope, asked, 1, NEWEST, 500, 0))

    assert sorted(job.config or "" for job in found) == sorted(configs)
    assert any("queue_jobs_by_config (project_id=? AND component=? AND config=?)" in line for line in plan), plan
