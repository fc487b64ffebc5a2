"""The secrets that sign webhooks, encrypted; one for each project."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Table, Text, insert, select, update

from penstock.foundation.database import Transaction, metadata

secrets = Table(
    "notification_secrets",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("secret", Text, nullable=False),
)


class SecretRow(msgspec.Struct, frozen=True):
    project_id: int
    secret: str
    """Its cipher."""


def find_secret(tx: Transaction, project_id: int) -> SecretRow | None:
    return tx.one(select(secrets).where(secrets.c.project_id == project_id), into=SecretRow)


def put_secret(tx: Transaction, row: SecretRow) -> None:
    mine = secrets.c.project_id == row.project_id
    if not tx.change(update(secrets).where(mine).values(secret=row.secret)):
        tx.change(insert(secrets).values(msgspec.structs.asdict(row)))


def list_secrets(tx: Transaction, limit: int) -> list[SecretRow]:
    """List secrets of any project."""
    return tx.all(select(secrets).limit(limit), into=SecretRow)
