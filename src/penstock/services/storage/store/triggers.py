"""Triggers."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Table, Text, delete, func, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.triggers import TriggerQuery, TriggerRow

triggers = Table(
    "storage_triggers",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False, index=True),
    Column("run_with_token_id", BigInteger, nullable=False),
    Column("component", Text, nullable=False),
    Column("configuration_id", Text, nullable=False),
    Column("cool_down_minutes", BigInteger, nullable=False),
    Column("table_ids", JSON, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("last_run", Timestamp),
    Column("loaded", JSON, nullable=False, server_default="[]"),
)


def add_trigger(tx: Transaction, row: TriggerRow) -> None:
    tx.change(insert(triggers).values(msgspec.structs.asdict(row)))


def change_trigger(tx: Transaction, row: TriggerRow) -> None:
    same = (triggers.c.project_id == row.project_id) & (triggers.c.id == row.id)
    tx.change(update(triggers).where(same).values(msgspec.structs.asdict(row)))


def set_last_run(tx: Transaction, project_id: int, trigger_id: int, time: datetime) -> None:
    """Record the last run: only later loads count for the next one."""
    same = (triggers.c.project_id == project_id) & (triggers.c.id == trigger_id)
    tx.change(update(triggers).where(same).values(last_run=time, loaded=[]))


def set_loaded(tx: Transaction, row: TriggerRow, loaded: list[str]) -> None:
    same = (triggers.c.project_id == row.project_id) & (triggers.c.id == row.id)
    tx.change(update(triggers).where(same).values(loaded=loaded))


def count_triggers(tx: Transaction, project_id: int) -> int:
    return int(tx.value(select(func.count()).select_from(triggers).where(triggers.c.project_id == project_id)))


def find_trigger(tx: Transaction, project_id: int, trigger_id: int) -> TriggerRow | None:
    statement = select(triggers).where(triggers.c.project_id == project_id, triggers.c.id == trigger_id)
    return tx.one(statement, into=TriggerRow)


def list_triggers(tx: Transaction, project_id: int, query: TriggerQuery) -> list[TriggerRow]:
    statement = select(triggers).where(triggers.c.project_id == project_id)
    if query.component:
        statement = statement.where(triggers.c.component == query.component)
    if query.configuration_id:
        statement = statement.where(triggers.c.configuration_id == query.configuration_id)
    return tx.all(statement.order_by(triggers.c.id), into=TriggerRow)


def remove_trigger(tx: Transaction, project_id: int, trigger_id: int) -> None:
    tx.change(delete(triggers).where(triggers.c.project_id == project_id, triggers.c.id == trigger_id))
