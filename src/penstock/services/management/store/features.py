"""Features of projects and users, and those of the whole stack."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Table, Text, UniqueConstraint

from penstock.foundation.database import Moment, metadata

features = Table(
    "management_features",
    metadata,
    Column("id", BigInteger, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("name", "type", "title", "description")),
    *(Column(name, Boolean, nullable=False) for name in ("can_be_managed_by_admin", "can_be_managed_via_api")),
    Column("created", Moment, nullable=False),
    UniqueConstraint("type", "name", name="management_features_name"),
)
