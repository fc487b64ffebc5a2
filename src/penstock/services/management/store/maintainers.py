"""Maintainers, which organizations belong to."""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Table, Text, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.groups import Maintainer

maintainers = Table(
    "management_maintainers",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("defaults", JSON, nullable=False),
)


def add_maintainer(tx: Transaction, row: Maintainer) -> None:
    tx.change(insert(maintainers).values(msgspec.structs.asdict(row)))


def change_maintainer(tx: Transaction, row: Maintainer) -> None:
    tx.change(update(maintainers).where(maintainers.c.id == row.id).values(msgspec.structs.asdict(row)))


def find_maintainer(tx: Transaction, maintainer_id: int) -> Maintainer | None:
    return tx.one(select(maintainers).where(maintainers.c.id == maintainer_id), into=Maintainer)


def list_maintainers(tx: Transaction) -> list[Maintainer]:
    return tx.all(select(maintainers).order_by(maintainers.c.id), into=Maintainer)


def remove_maintainer(tx: Transaction, maintainer_id: int) -> None:
    tx.change(delete(maintainers).where(maintainers.c.id == maintainer_id))
