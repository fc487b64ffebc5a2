"""Configurations."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, Table, Text, insert, select, update

from penstock.foundation.database import Moment, Transaction, metadata
from penstock.services.storage.models.configurations import ConfigurationRow

configurations = Table(
    "storage_configurations",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("component_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("configuration", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("version", Integer, nullable=False),
    Column("version_identifier", Text, nullable=False),
    Column("change_description", Text, nullable=False),
    Column("is_disabled", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
    Column("changed", Moment, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
)


def add_configuration(tx: Transaction, row: ConfigurationRow) -> None:
    tx.change(insert(configurations).values(msgspec.structs.asdict(row)))


def find_configuration(
    tx: Transaction, project_id: int, branch_id: int, component_id: str, config_id: str
) -> ConfigurationRow | None:
    question = select(configurations).where(
        configurations.c.project_id == project_id,
        configurations.c.branch_id == branch_id,
        configurations.c.component_id == component_id,
        configurations.c.id == config_id,
    )
    return tx.one(question, into=ConfigurationRow)


def list_configurations(
    tx: Transaction, project_id: int, branch_id: int, component_id: str | None = None
) -> list[ConfigurationRow]:
    question = select(configurations).where(
        configurations.c.project_id == project_id, configurations.c.branch_id == branch_id
    )
    if component_id:
        question = question.where(configurations.c.component_id == component_id)
    return tx.all(question.order_by(configurations.c.created, configurations.c.id), into=ConfigurationRow)


def set_state(
    tx: Transaction, project_id: int, branch_id: int, component_id: str, config_id: str, state: bytes
) -> None:
    tx.change(
        update(configurations)
        .where(
            configurations.c.project_id == project_id,
            configurations.c.branch_id == branch_id,
            configurations.c.component_id == component_id,
            configurations.c.id == config_id,
        )
        .values(state=state)
    )
