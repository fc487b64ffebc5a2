"""A project as it is after a year: what one run has left, many times over, in SQL. To run so many jobs takes days."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, Table

from penstock.app import open_from, outbound_policy
from penstock.foundation.database import metadata
from penstock.services.queue.operations.totals import add_up_hours
from penstock.settings import Settings

CONFIGURATIONS, JOBS, EVENTS = 10_000, 300_000, 1_500_000
FIRST_JOB, FIRST_EVENT, NEXT = 10_000_000, 20_000_000, 30_000_000
DAYS = 60
SAMPLE = "sample-customers"


def fill_project(folder: Path, jobs: int = JOBS, events: int = EVENTS) -> None:
    """In the folder of a stack that is stopped, and that has run the sample once."""
    settings = Settings(data_dir=str(folder))
    stack = open_from(settings, outbound_policy(settings, "127.0.0.1:1"))
    ago = f"strftime('%Y-%m-%d %H:%M:%f000', 'now', '-' || (({jobs} - i) * {DAYS * 86_400} / {jobs}) || ' seconds')"
    config = f"'bench-' || (i % {CONFIGURATIONS})"
    try:
        with stack.database.writing() as tx:
            made = {"name": "'Configuration ' || i", "created": ago, "changed": ago}
            _repeat(
                tx.connection,
                "storage_configurations",
                f"id = '{SAMPLE}'",
                CONFIGURATIONS,
                {**made, "id": "'bench-' || i"},
            )
            job = {
                "id": f"{FIRST_JOB} + i",
                "run_id": f"CAST({FIRST_JOB} + i AS TEXT)",
                "config": config,
                "created_time": ago,
                "start_time": ago,
                "end_time": ago,
                "status": "CASE WHEN i % 10 = 0 THEN 'error' ELSE 'success' END",
            }
            _repeat(tx.connection, "queue_jobs", f"config = '{SAMPLE}'", jobs, job)
            event = {
                "id": f"{FIRST_EVENT} + i",
                "uuid": f"CAST({FIRST_EVENT} + i AS TEXT)",
                "run_id": f"CAST({FIRST_JOB} + i * {jobs} / {max(events, 1)} AS TEXT)",
            }
            _repeat(tx.connection, "storage_events", "run_id IS NOT NULL", events, event)
            tx.connection.exec_driver_sql(f"UPDATE foundation_sequences SET value = {NEXT} WHERE name = 'ids'")
        add_up_hours(stack)
    finally:
        stack.close()


def _repeat(connection: Connection, name: str, condition: str, count: int, changed: Mapping[str, str]) -> None:
    """Insert copies of one row, of which some columns are expressions of their number."""
    table: Table = metadata.tables[name]
    columns = [column.name for column in table.columns]
    values = ", ".join(changed.get(column, column) for column in columns)
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})"
    model = f"(SELECT * FROM {name} WHERE {condition} LIMIT 1)"
    connection.exec_driver_sql(f"INSERT INTO {name} ({', '.join(columns)}) {numbers} SELECT {values} FROM {model}, n")
