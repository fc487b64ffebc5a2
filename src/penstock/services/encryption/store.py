"""The table of hosts that projects trust."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Table, Text, delete, select

from penstock.foundation.database import Transaction, metadata

trusted_hosts = Table(
    "encryption_trusted_hosts",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("host", Text, primary_key=True),
)


def list_hosts(tx: Transaction, project_id: int) -> list[str]:
    query = select(trusted_hosts.c.host).where(trusted_hosts.c.project_id == project_id)
    return list(tx.connection.scalars(query.order_by(trusted_hosts.c.host)))


def add_host(tx: Transaction, project_id: int, host: str) -> None:
    remove_host(tx, project_id, host)
    tx.insert_all(trusted_hosts, [{"project_id": project_id, "host": host}])


def remove_host(tx: Transaction, project_id: int, host: str) -> None:
    tx.change(delete(trusted_hosts).where(trusted_hosts.c.project_id == project_id, trusted_hosts.c.host == host))
