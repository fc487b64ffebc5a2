"""What a request costs does not grow with the number of projects: tables that grow with it are read by an index."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import Engine

from penstock.foundation.database import Transaction
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_place, made, program

GROWING = ("management_projects", "management_members", "storage_branches", "storage_buckets", "storage_tables")
REQUESTS: dict[str, Callable[[Http, int], Any]] = {
    "create": lambda boss, organization: made(
        boss.post(f"/manage/organizations/{organization}/projects", {"name": "one more"})
    ),
    "list": lambda boss, organization: made(boss.get(f"/manage/organizations/{organization}/projects"), 200),
    "verify": lambda boss, _: made(boss.get("/manage/tokens/verify"), 200),
}
Statement = tuple[str, Any]


@pytest.mark.parametrize("name", REQUESTS)
def test_no_table_of_all_projects_is_read_whole(shared: ServicesOnly, name: str) -> None:
    boss = program(shared, "super")
    organization = add_place(boss).organization

    with _statements() as sent:
        REQUESTS[name](boss, organization)

    with shared.stack.database.reading() as tx:
        scans = [line for statement in sent for line in _plan(tx, *statement) if _is_scan(line)]
    assert sent or name == "verify"  # which reads none of them
    assert scans == []


@contextmanager
def _statements() -> Generator[list[Statement]]:
    """Those that read or change rows, from every connection of this process."""
    sent: list[Statement] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")) and any(each in statement for each in GROWING):
            sent.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    yield sent
    event.remove(Engine, "before_cursor_execute", note)


def _plan(tx: Transaction, statement: str, parameters: Any) -> list[str]:
    if tx.connection.dialect.name == "sqlite":
        found = tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        return [str(row[3]) for row in found]
    # A small table is read whole even if it has an index.
    tx.connection.execute(text("SET LOCAL enable_seqscan = off"))
    return [str(row[0]) for row in tx.connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]


def _is_scan(line: str) -> bool:
    return any(f"SCAN {table}" in line or f"Seq Scan on {table}" in line for table in GROWING)
