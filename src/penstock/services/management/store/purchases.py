"""Credits that were bought for projects."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table, Text

from penstock.foundation.database import Moment, metadata

purchases = Table(
    "management_credits",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("amount", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Index("management_credits_of", "project_id", "id"),
)
