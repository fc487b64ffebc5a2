"""Current configurations; earlier ones are in versions.py."""

from __future__ import annotations

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
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
from penstock.services.storage.models.configurations import ConfigurationKey, ConfigurationRow

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
    Column("created", Timestamp, nullable=False),
    Column("changed", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
    Column("changer_id", BigInteger, nullable=False),
    Column("changer_description", Text, nullable=False),
    Column("rows_sort_order", JSON, nullable=False),
    Column("is_deleted", Boolean, nullable=False),
    # SQLite reads all of a document to get at the columns behind it.
    Index("storage_configurations_of_branch", "project_id", "branch_id", "is_deleted", "component_id", "id"),
)

_DOCUMENTS = ("configuration", "state")


_KEY = ("project_id", "branch_id", "component_id", "id")
_FIND = select(configurations).where(*(configurations.c[name] == bindparam(name) for name in _KEY))


def add_configuration(tx: Transaction, row: ConfigurationRow) -> None:
    tx.change(insert(configurations).values(msgspec.structs.asdict(row)))


def put_configuration(tx: Transaction, row: ConfigurationRow) -> None:
    tx.change(update(configurations).where(_is(row.key)).values(msgspec.structs.asdict(row)))


def find_configuration(tx: Transaction, key: ConfigurationKey) -> ConfigurationRow | None:
    """Includes those in the trash."""
    values = {name: getattr(key, name) for name in _KEY}
    return tx.one(_FIND, ConfigurationRow, **values)


def list_configurations(
    tx: Transaction,
    project_id: int,
    branch_id: int,
    component_id: str | None = None,
    *,
    is_deleted: bool = False,
    with_documents: bool = True,
) -> list[ConfigurationRow]:
    """Oldest first. Documents, most of the size of a list, are read only on request."""
    columns = [
        literal(b"{}", LargeBinary).label(column.name) if column.name in _DOCUMENTS and not with_documents else column
        for column in configurations.c
    ]
    statement = select(*columns).where(
        configurations.c.project_id == project_id,
        configurations.c.branch_id == branch_id,
        configurations.c.is_deleted == is_deleted,
    )
    if component_id:
        statement = statement.where(configurations.c.component_id == component_id)
    return tx.all(statement.order_by(configurations.c.created, configurations.c.id), into=ConfigurationRow)


def set_state(tx: Transaction, key: ConfigurationKey, state: bytes) -> None:
    tx.change(update(configurations).where(_is(key)).values(state=state))


def remove_configuration(tx: Transaction, key: ConfigurationKey) -> None:
    tx.change(delete(configurations).where(_is(key)))


def _is(key: ConfigurationKey) -> ColumnElement[bool]:
    return and_(
        configurations.c.project_id == key.project_id,
        configurations.c.branch_id == key.branch_id,
        configurations.c.component_id == key.component_id,
        configurations.c.id == key.id,
    )


def list_latest(tx: Transaction, limit: int) -> list[tuple[int, str, bytes]]:
    """Project, component and document of those changed last, in all projects."""
    columns = (configurations.c.project_id, configurations.c.component_id, configurations.c.configuration)
    found = tx.connection.execute(select(*columns).order_by(configurations.c.changed.desc()).limit(limit))
    return [(row[0], row[1], row[2]) for row in found]
