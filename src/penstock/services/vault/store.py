"""The table of variables."""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, BigInteger, Column, ColumnElement, Select, Table, Text, delete, func, insert, or_, select
from sqlalchemy import update as change

from penstock.foundation.database import Transaction, metadata
from penstock.foundation.secrets import WIDE_PREFIX
from penstock.services.vault.models import BRANCH, Filter, VariableRow

variables = Table(
    "vault_variables",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("id", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("flags", JSON, nullable=False),
    Column("group", Text),
    Column("attributes", JSON, nullable=False),
)


def find_variable(tx: Transaction, project_id: int, variable_hash: str) -> VariableRow | None:
    found = tx.converted(_every(project_id).where(variables.c.hash == variable_hash), into=VariableRow)
    return found[0] if found else None


def put_variable(tx: Transaction, row: VariableRow) -> None:
    """Insert it, or replace the one with the same hash."""
    fields = msgspec.structs.asdict(row)
    same = (variables.c.project_id == row.project_id, variables.c.hash == row.hash)
    if not tx.change(change(variables).where(*same).values(fields)):
        tx.change(insert(variables).values(fields))


def remove_variable(tx: Transaction, project_id: int, variable_hash: str) -> bool:
    same = (variables.c.project_id == project_id, variables.c.hash == variable_hash)
    return tx.change(delete(variables).where(*same)) > 0


def remove_of_branch(tx: Transaction, project_id: int, branch_id: int) -> None:
    of_branch = _attribute_is(tx, BRANCH, str(branch_id))
    tx.change(delete(variables).where(variables.c.project_id == project_id, of_branch))


def list_variables(
    tx: Transaction, project_id: int, scope_filter: Filter, offset: int, limit: int
) -> list[VariableRow]:
    """List variables in the order in which they were first added."""
    statement = _matching(tx, project_id, scope_filter).order_by(variables.c.id).offset(offset).limit(limit)
    return tx.converted(statement, into=VariableRow)


def list_visible(tx: Transaction, project_id: int, branch_id: str, scope_filter: Filter) -> list[VariableRow]:
    """List the variables of the project, and those of the branch."""
    is_visible = or_(_attribute_is(tx, BRANCH, ""), _attribute_is(tx, BRANCH, branch_id))
    statement = _matching(tx, project_id, scope_filter).where(is_visible).order_by(variables.c.id)
    return tx.converted(statement, into=VariableRow)


def list_secrets(tx: Transaction, limit: int) -> list[VariableRow]:
    """List secrets of any project."""
    return tx.converted(select(variables).where(variables.c.value.startswith(WIDE_PREFIX)).limit(limit), VariableRow)


def _every(project_id: int) -> Select[tuple[object, ...]]:
    return select(variables).where(variables.c.project_id == project_id)


def _matching(tx: Transaction, project_id: int, scope_filter: Filter) -> Select[tuple[object, ...]]:
    statement = _every(project_id)
    if scope_filter.key:
        statement = statement.where(variables.c.key == scope_filter.key)
    return statement.where(*(_attribute_is(tx, name, value) for name, value in scope_filter.attributes.items()))


def _attribute_is(tx: Transaction, name: str, value: str) -> ColumnElement[bool]:
    """Names come from requests: `json_each` compares them as values, where a path would need quoting."""
    # On PostgreSQL the values of `json_each` are JSON, and equal to no text.
    unfold = func.json_each_text if tx.connection.dialect.name == "postgresql" else func.json_each
    each = unfold(variables.c.attributes).table_valued("key", "value")
    found = select(each.c.key).where(each.c.key == name).correlate(variables)
    return found.where(each.c.value == value).exists() if value else ~found.exists()
