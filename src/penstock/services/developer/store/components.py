"""The SQL of added components."""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, Column, Table, Text, bindparam, delete, func, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.components import AddedComponent

components = Table(
    "developer_components",
    metadata,
    Column("id", Text, primary_key=True),
    Column("definition", JSON, nullable=False),
    Column("folder", Text, nullable=False),
    Column("added", Timestamp, nullable=False),
)


_FIND = select(components).where(components.c.id == bindparam("component_id"))
"""Compiled once: every use of a component runs it."""


def find_component(tx: Transaction, component_id: str) -> AddedComponent | None:
    return tx.one(_FIND, into=AddedComponent, component_id=component_id)


def list_components(tx: Transaction) -> list[AddedComponent]:
    return tx.all(select(components).order_by(components.c.id), into=AddedComponent)


def components_version(tx: Transaction) -> str:
    """An added or updated component is newer than all others, and a removed one changes their number."""
    count, newest = tx.connection.execute(select(func.count(), func.max(components.c.added, type_=Timestamp))).one()
    return f"{count} {newest}"


def put_component(tx: Transaction, row: AddedComponent) -> None:
    remove_component(tx, row.id)
    tx.change(insert(components).values(msgspec.structs.asdict(row)))


def remove_component(tx: Transaction, component_id: str) -> bool:
    return bool(tx.change(delete(components).where(components.c.id == component_id)))
