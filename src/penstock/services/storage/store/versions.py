"""Versions of configurations and of their rows.

A version of a row records the range of versions of its configuration that it belongs to (`since`, `until`). So a change
of one row is stored once, however many rows the configuration has.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.versions import RowVersion, VersionRow, VersionsQuery

versions = Table(
    "storage_configuration_versions",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("component_id", Text, primary_key=True),
    Column("config_id", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("configuration", LargeBinary, nullable=False),
    Column("rows_sort_order", JSON, nullable=False),
    Column("is_disabled", Boolean, nullable=False),
    Column("is_deleted", Boolean, nullable=False),
    Column("change_description", Text, nullable=False),
    Column("version_identifier", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
)

row_versions = Table(
    "storage_configuration_row_versions",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("component_id", Text, primary_key=True),
    Column("config_id", Text, primary_key=True),
    Column("row_id", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("configuration", LargeBinary, nullable=False),
    Column("is_disabled", Boolean, nullable=False),
    Column("change_description", Text, nullable=False),
    Column("version_identifier", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
    Column("since", Integer, nullable=False),
    Column("until", Integer),
)


def add_version(tx: Transaction, row: VersionRow) -> None:
    tx.change(insert(versions).values(msgspec.structs.asdict(row)))


def find_version(tx: Transaction, key: ConfigurationKey, version: int) -> VersionRow | None:
    return tx.one(select(versions).where(_of(versions, key), versions.c.version == version), into=VersionRow)


def list_versions(tx: Transaction, key: ConfigurationKey, query: VersionsQuery) -> list[VersionRow]:
    """Newest first."""
    statement = select(*_columns(versions, query)).where(_of(versions, key)).order_by(versions.c.version.desc())
    return tx.all(statement.limit(query.limit).offset(query.offset), into=VersionRow)


def add_row_version(tx: Transaction, row: RowVersion) -> None:
    tx.change(insert(row_versions).values(msgspec.structs.asdict(row)))


def end_row_versions(tx: Transaction, key: ConfigurationKey, until: int, row_id: str | None = None) -> None:
    """Record that as of this version of the configuration, the row (or every row) is replaced or removed."""
    current = and_(_of(row_versions, key), row_versions.c.until.is_(None))
    if row_id is not None:
        current = and_(current, row_versions.c.row_id == row_id)
    tx.change(update(row_versions).where(current).values(until=until))


def find_row_version(tx: Transaction, key: ConfigurationKey, row_id: str, version: int) -> RowVersion | None:
    statement = select(row_versions).where(_of_row(key, row_id), row_versions.c.version == version)
    return tx.one(statement, into=RowVersion)


def list_row_versions(tx: Transaction, key: ConfigurationKey, row_id: str, query: VersionsQuery) -> list[RowVersion]:
    """Newest first."""
    statement = select(*_columns(row_versions, query)).where(_of_row(key, row_id))
    statement = statement.order_by(row_versions.c.version.desc())
    return tx.all(statement.limit(query.limit).offset(query.offset), into=RowVersion)


def list_rows_at(tx: Transaction, key: ConfigurationKey, version: int) -> list[RowVersion]:
    """The rows of a configuration in one of its versions."""
    statement = select(row_versions).where(
        _of(row_versions, key),
        row_versions.c.since <= version,
        or_(row_versions.c.until.is_(None), row_versions.c.until > version),
    )
    return tx.all(statement.order_by(row_versions.c.row_id), into=RowVersion)


def last_row_version(tx: Transaction, key: ConfigurationKey, row_id: str) -> int:
    """0 for a row that never existed. One that was deleted and is created again continues its version numbers."""
    return tx.value(select(func.max(row_versions.c.version)).where(_of_row(key, row_id))) or 0


def remove_versions(tx: Transaction, key: ConfigurationKey) -> None:
    for table in (versions, row_versions):
        tx.change(delete(table).where(_of(table, key)))


def _columns(table: Table, query: VersionsQuery) -> list[ColumnElement[Any]]:
    """Documents are read only on request."""
    left_out = () if query.with_documents else ("configuration",)
    return [literal(b"{}", LargeBinary).label(c.name) if c.name in left_out else c for c in table.c]


def _of_row(key: ConfigurationKey, row_id: str) -> ColumnElement[bool]:
    return and_(_of(row_versions, key), row_versions.c.row_id == row_id)


def _of(table: Table, key: ConfigurationKey) -> ColumnElement[bool]:
    return and_(
        table.c.project_id == key.project_id,
        table.c.branch_id == key.branch_id,
        table.c.component_id == key.component_id,
        table.c.config_id == key.id,
    )
