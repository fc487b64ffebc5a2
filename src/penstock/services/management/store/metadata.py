"""Metadata of maintainers, organizations, projects and users."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Table, Text, UniqueConstraint

from penstock.foundation.database import Moment, metadata

entries = Table(
    "management_metadata",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("level", Text, nullable=False),
    Column("owner_id", BigInteger, nullable=False),
    Column("provider", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("timestamp", Moment, nullable=False),
    UniqueConstraint("level", "owner_id", "provider", "key", name="management_metadata_once"),
)
