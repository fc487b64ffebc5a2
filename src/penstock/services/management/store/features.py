"""Features of projects and users, and those of the whole stack."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Table, Text, UniqueConstraint, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.features import Feature

features = Table(
    "management_features",
    metadata,
    Column("id", BigInteger, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("name", "type", "title", "description")),
    *(Column(name, Boolean, nullable=False) for name in ("can_be_managed_by_admin", "can_be_managed_via_api")),
    Column("created", Timestamp, nullable=False),
    UniqueConstraint("type", "name", name="management_features_name"),
)


def add_feature(tx: Transaction, row: Feature) -> None:
    tx.change(insert(features).values(msgspec.structs.asdict(row)))


def change_feature(tx: Transaction, row: Feature) -> None:
    tx.change(update(features).where(features.c.id == row.id).values(msgspec.structs.asdict(row)))


def list_features(tx: Transaction) -> list[Feature]:
    """List features without those that are built in."""
    return tx.all(select(features).order_by(features.c.id), into=Feature)


def remove_feature(tx: Transaction, feature_id: int) -> None:
    tx.change(delete(features).where(features.c.id == feature_id))
