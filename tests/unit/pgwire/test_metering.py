"""What statements of PostgreSQL clients take is charged to the project of the workspace."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from penstock.services.billing.store import entries
from tests.support.stacks import wait_for
from tests.unit.pgwire.sql_server import Login, SqlServer
from tests.unit.services.billing.ledger import pay_as_you_go, run_job


def list_entries(server: SqlServer) -> list[Any]:
    with server.services.stack.database.reading() as tx:
        return list(tx.connection.execute(select(entries).where(entries.c.kind == "workspace").order_by("id")))


def test_a_connection_has_one_entry_with_its_statements(sql_server: SqlServer, workspace: Login) -> None:
    with sql_server.connect(workspace) as first:
        first.execute("SELECT 1")
    before = wait_for(lambda: list_entries(sql_server))
    with sql_server.connect(workspace) as client:
        for _ in range(3):
            client.execute("SELECT * FROM range(5)")
        assert len(list_entries(sql_server)) >= len(before)

    [entry] = wait_for(lambda: [each for each in list_entries(sql_server)[len(before) :] if each.rows >= 15])
    assert entry.duration > 0
    assert entry.hour_price == 6_000_000


def test_without_credits_statements_are_refused_with_the_reason(sql_server: SqlServer, workspace: Login) -> None:
    services = sql_server.services
    with sql_server.connect(workspace, autocommit=True) as client:
        client.execute("SELECT 1")
        pay_as_you_go(services, services.project.id)
        try:
            run_job(services, 7200)
            assert "You do not have enough credits" in _fail(client)
        finally:
            pay_as_you_go(services, services.project.id, is_on=False)
        client.execute("SELECT 1")


def _fail(client: Any) -> str:
    import psycopg

    try:
        client.execute("SELECT 1")
    except psycopg.Error as error:
        return str(error)
    return ""
