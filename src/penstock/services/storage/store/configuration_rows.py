"""Current rows of configurations; earlier ones are in versions.py."""

from __future__ import annotations

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    insert,
    literal,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.configuration_rows import StoredRow
from penstock.services.storage.models.configurations import ConfigurationKey

rows = Table(
    "storage_configuration_rows",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("component_id", Text, primary_key=True),
    Column("config_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("configuration", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("is_disabled", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("version_identifier", Text, nullable=False),
    Column("change_description", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
)

_DOCUMENTS = ("configuration", "state")


_LIST = select(rows).where(
    *(rows.c[name] == bindparam(name) for name in ("project_id", "branch_id", "component_id", "config_id"))
)


def put_row(tx: Transaction, key: ConfigurationKey, row: StoredRow) -> None:
    """Insert or replace the row."""
    values = msgspec.structs.asdict(row)
    if not tx.change(update(rows).where(_is(key, row.id)).values(values)):
        tx.change(insert(rows).values(values))


def find_row(tx: Transaction, key: ConfigurationKey, row_id: str) -> StoredRow | None:
    return tx.one(select(rows).where(_is(key, row_id)), into=StoredRow)


def list_rows(tx: Transaction, key: ConfigurationKey) -> list[StoredRow]:
    values = {"project_id": key.project_id, "branch_id": key.branch_id, "component_id": key.component_id}
    return tx.all(_LIST, StoredRow, **values, config_id=key.id)


def list_row_ids(tx: Transaction, key: ConfigurationKey) -> set[str]:
    return set(tx.connection.execute(select(rows.c.id).where(_of(key))).scalars())


def list_all_rows(
    tx: Transaction, project_id: int, branch_id: int, component_id: str | None = None, *, with_documents: bool = True
) -> list[StoredRow]:
    """The rows of all configurations of a component, or of all components, in one query."""
    columns = [
        literal(b"{}", LargeBinary).label(column.name) if column.name in _DOCUMENTS and not with_documents else column
        for column in rows.c
    ]
    statement = select(*columns).where(rows.c.project_id == project_id, rows.c.branch_id == branch_id)
    if component_id:
        statement = statement.where(rows.c.component_id == component_id)
    return tx.all(statement, into=StoredRow)


def set_row_state(tx: Transaction, key: ConfigurationKey, row_id: str, state: bytes) -> None:
    tx.change(update(rows).where(_is(key, row_id)).values(state=state))


def remove_row(tx: Transaction, key: ConfigurationKey, row_id: str) -> None:
    tx.change(delete(rows).where(_is(key, row_id)))


def remove_rows(tx: Transaction, key: ConfigurationKey) -> None:
    tx.change(delete(rows).where(_of(key)))


def _is(key: ConfigurationKey, row_id: str) -> ColumnElement[bool]:
    return and_(_of(key), rows.c.id == row_id)


def _of(key: ConfigurationKey) -> ColumnElement[bool]:
    return and_(
        rows.c.project_id == key.project_id,
        rows.c.branch_id == key.branch_id,
        rows.c.component_id == key.component_id,
        rows.c.config_id == key.id,
    )
