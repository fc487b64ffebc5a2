"""Maintainers, which organizations belong to."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, Table, Text

from penstock.foundation.database import Moment, metadata

maintainers = Table(
    "management_maintainers",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("defaults", JSON, nullable=False),
)
