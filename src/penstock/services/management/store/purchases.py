"""Credits that were bought for projects."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from sqlalchemy import BigInteger, Column, Index, Table, Text, bindparam, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.purchases import Purchase

purchases = Table(
    "management_credits",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("amount", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Index("management_credits_of", "project_id", "id"),
)

_AMOUNTS = select(purchases.c.amount).where(purchases.c.project_id == bindparam("project_id"))


def add_purchase(tx: Transaction, purchase: Purchase) -> None:
    """The amount is stored as text, digit for digit."""
    tx.change(
        insert(purchases).values(
            id=purchase.id,
            project_id=purchase.project_id,
            amount=str(purchase.amount),
            description=purchase.description,
            created=purchase.created,
        )
    )


def sum_purchases(tx: Transaction, project_id: int) -> Decimal:
    """Here and not by the database: SQLite would sum floats. A project has few."""
    found = tx.connection.execute(_AMOUNTS, {"project_id": project_id}).scalars()
    return sum(map(Decimal, found), Decimal(0))


def sum_by_project(tx: Transaction, project_ids: Collection[int]) -> dict[int, Decimal]:
    """What was bought for each of these projects, if anything was."""
    query = select(purchases.c.project_id, purchases.c.amount).where(purchases.c.project_id.in_(list(project_ids)))
    sums: dict[int, Decimal] = {}
    for number, amount in tx.connection.execute(query):
        sums[number] = sums.get(number, Decimal(0)) + Decimal(amount)
    return sums
