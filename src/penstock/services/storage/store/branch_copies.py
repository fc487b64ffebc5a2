"""Copies of Main's configurations for a new branch, made inside the database, however large they are.

Only current versions are copied: in the branch, everything starts with version 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Table,
    Text,
    and_,
    cast,
    delete,
    exists,
    insert,
    literal,
    null,
    select,
    tuple_,
)

from penstock.foundation.database import Timestamp, Transaction
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.store.configuration_rows import rows
from penstock.services.storage.store.configurations import configurations
from penstock.services.storage.store.versions import row_versions, versions


class Copying(msgspec.Struct, frozen=True, kw_only=True):
    """Source, target and author of the copies."""

    project_id: int
    main_id: int
    branch_id: int
    token_id: int
    token_description: str
    now: datetime


class _Id(msgspec.Struct, frozen=True):
    component_id: str
    id: str


def list_uncopied(tx: Transaction, copying: Copying, limit: int) -> list[ConfigurationKey]:
    """Configurations of Main, without its trash, that the branch does not have yet."""
    theirs = configurations.alias("theirs")
    copied = exists().where(
        theirs.c.project_id == copying.project_id,
        theirs.c.branch_id == copying.branch_id,
        theirs.c.component_id == configurations.c.component_id,
        theirs.c.id == configurations.c.id,
    )
    statement = select(configurations.c.component_id, configurations.c.id).where(
        configurations.c.project_id == copying.project_id,
        configurations.c.branch_id == copying.main_id,
        ~configurations.c.is_deleted,
        ~copied,
    )
    found = tx.all(statement.limit(limit), into=_Id)
    return [ConfigurationKey(copying.project_id, copying.main_id, each.component_id, each.id) for each in found]


def copy_configurations(tx: Transaction, copying: Copying, keys: Sequence[ConfigurationKey]) -> None:
    """Including their rows."""
    ids = [(key.component_id, key.id) for key in keys]
    ours = _chosen(configurations, configurations.c.id, copying, ids)
    inside = _chosen(rows, rows.c.config_id, copying, ids)
    text, row_text = _text("configuration", configurations), _text("configuration row", rows)
    first = {"branch_id": literal(copying.branch_id, BigInteger), "version": literal(1, Integer)}
    by = {"id": literal(copying.token_id, BigInteger), "description": literal(copying.token_description, Text)}
    now = literal(copying.now, Timestamp)
    changed = {"changer_id": by["id"], "changer_description": by["description"], "changed": now}
    made = {"creator_id": by["id"], "creator_description": by["description"], "created": now}
    about = {**first, "created": now, "change_description": text}
    about_row = {**first, "created": now, "change_description": row_text}
    span = {"row_id": rows.c.id, "since": literal(1, Integer), "until": null()}
    _copy(tx, configurations, configurations, {**about, **changed}, ours)
    _copy(tx, configurations, versions, {**about, **made, "config_id": configurations.c.id}, ours)
    _copy(tx, rows, rows, about_row, inside)
    _copy(tx, rows, row_versions, {**about_row, **made, **span}, inside)


def remove_all(tx: Transaction, project_id: int, branch_id: int) -> None:
    """Remove every configuration of a branch that is being deleted, its trash included."""
    for table in (row_versions, rows, versions, configurations):
        tx.change(delete(table).where(table.c.project_id == project_id, table.c.branch_id == branch_id))


def _copy(tx: Transaction, source: Table, target: Table, instead: dict[str, Any], where: ColumnElement[bool]) -> None:
    """Insert rows of one table as rows of another: columns of the same name, except for the given replacements."""
    names = [column.name for column in target.c]
    columns = [(instead[name] if name in instead else source.c[name]).label(name) for name in names]
    tx.change(insert(target).from_select(names, select(*columns).where(where)))


def _chosen(table: Table, config_id: Any, copying: Copying, ids: list[tuple[str, str]]) -> ColumnElement[bool]:
    mains = and_(table.c.project_id == copying.project_id, table.c.branch_id == copying.main_id)
    return and_(mains, tuple_(table.c.component_id, config_id).in_(ids))


def _text(what: str, table: Table) -> ColumnElement[str]:
    named = literal(f'Copied from default branch {what} "', Text) + table.c.name + '" (' + table.c.id
    return named + ") version " + cast(table.c.version, Text)
