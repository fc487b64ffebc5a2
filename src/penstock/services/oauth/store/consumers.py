"""The table of consumers. They belong to the stack, not to a project."""

from __future__ import annotations

import msgspec
from sqlalchemy import Boolean, Column, Table, Text, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.oauth.models.consumers import ConsumerRow

consumers = Table(
    "oauth_consumers",
    metadata,
    Column("component_id", Text, primary_key=True),
    Column("friendly_name", Text, nullable=False),
    Column("oauth_version", Text, nullable=False),
    Column("auth_url", Text, nullable=False),
    Column("token_url", Text, nullable=False),
    Column("request_token_url", Text),
    Column("app_key", Text, nullable=False),
    Column("app_secret", Text, nullable=False),
    Column("app_secret_docker", Text, nullable=False),
    Column("restrict_custom_auth", Boolean, nullable=False),
    Column("use_pkce", Boolean, nullable=False),
    Column("refresh_tokens", Boolean, nullable=False),
    Column("created", Timestamp, nullable=False),
)


def add_consumer(tx: Transaction, row: ConsumerRow) -> None:
    tx.change(insert(consumers).values(msgspec.structs.asdict(row)))


def find_consumer(tx: Transaction, component_id: str) -> ConsumerRow | None:
    found = tx.converted(select(consumers).where(consumers.c.component_id == component_id), into=ConsumerRow)
    return found[0] if found else None


def list_consumers(tx: Transaction) -> list[ConsumerRow]:
    return tx.converted(select(consumers).order_by(consumers.c.component_id), into=ConsumerRow)


def change_consumer(tx: Transaction, row: ConsumerRow) -> None:
    same = consumers.c.component_id == row.component_id
    tx.change(update(consumers).where(same).values(msgspec.structs.asdict(row)))


def remove_consumer(tx: Transaction, component_id: str) -> bool:
    return tx.change(delete(consumers).where(consumers.c.component_id == component_id)) > 0
