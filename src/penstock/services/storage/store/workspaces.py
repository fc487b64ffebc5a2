"""Workspaces and their credentials."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text, delete, func, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.workspaces import READER, CredentialsRow, WorkspaceRow

workspaces = Table(
    "storage_workspaces",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("backend", Text, nullable=False),
    Column("component", Text),
    Column("configuration_id", Text),
    Column("backend_size", Text),
    Column("statement_timeout_seconds", BigInteger, nullable=False),
    Column("login_type", Text, nullable=False),
    Column("public_key", Text),
    Column("public_key_2", Text),
    Column("password_hash", Text),
    Column("read_only_storage_access", Boolean, nullable=False),
    Column("use_case", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
    Column("holder_id", BigInteger, nullable=False),
    Column("holder_sign_in_id", BigInteger, nullable=False),
    Index("storage_workspaces_by_branch", "project_id", "branch_id", "id"),
)

credentials = Table(
    "storage_workspace_credentials",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("workspace_id", BigInteger, nullable=False),
    Column("public_key", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Index("storage_workspace_credentials_by_workspace", "project_id", "workspace_id", "id"),
)

IDS_AT_ONCE = 500


def add_workspace(tx: Transaction, row: WorkspaceRow) -> None:
    tx.change(insert(workspaces).values(msgspec.structs.asdict(row)))


def change_workspace(tx: Transaction, row: WorkspaceRow, **values: object) -> WorkspaceRow:
    same = (workspaces.c.project_id == row.project_id) & (workspaces.c.id == row.id)
    tx.change(update(workspaces).where(same).values(**values))
    return msgspec.structs.replace(row, **values)


def find_workspace(tx: Transaction, project_id: int, workspace_id: int) -> WorkspaceRow | None:
    statement = select(workspaces).where(workspaces.c.project_id == project_id, workspaces.c.id == workspace_id)
    return tx.one(statement, into=WorkspaceRow)


def find_any_workspace(tx: Transaction, workspace_id: int) -> WorkspaceRow | None:
    """Find a workspace of any project, for a login with its password."""
    return tx.one(select(workspaces).where(workspaces.c.id == workspace_id), into=WorkspaceRow)


def list_workspaces(tx: Transaction, project_id: int, branch_id: int) -> list[WorkspaceRow]:
    mine = (workspaces.c.project_id == project_id) & (workspaces.c.branch_id == branch_id)
    return tx.all(select(workspaces).where(mine).order_by(workspaces.c.id), into=WorkspaceRow)


def count_readers(tx: Transaction, project_id: int, creator_id: int) -> int:
    """Workspaces that a token created and that only read."""
    mine = [workspaces.c.project_id == project_id, workspaces.c.creator_id == creator_id]
    query = select(func.count()).select_from(workspaces).where(*mine, workspaces.c.use_case == READER)
    return int(tx.value(query))


def list_of_configuration(tx: Transaction, key: ConfigurationKey) -> list[WorkspaceRow]:
    statement = select(workspaces).where(
        workspaces.c.project_id == key.project_id,
        workspaces.c.branch_id == key.branch_id,
        workspaces.c.component == key.component_id,
        workspaces.c.configuration_id == key.id,
    )
    return tx.all(statement.order_by(workspaces.c.id), into=WorkspaceRow)


def list_every_workspace(tx: Transaction) -> list[WorkspaceRow]:
    """List the workspaces of all projects, for the maintenance of their folders."""
    return tx.all(select(workspaces).order_by(workspaces.c.id), into=WorkspaceRow)


def list_present(tx: Transaction, ids: Iterable[int]) -> set[int]:
    """Which of these workspaces, of any project, exist: for maintenance."""
    candidates, present = sorted(ids), set[int]()
    for start in range(0, len(candidates), IDS_AT_ONCE):
        some = workspaces.c.id.in_(candidates[start : start + IDS_AT_ONCE])
        present.update(tx.connection.scalars(select(workspaces.c.id).where(some)))
    return present


def remove_workspace(tx: Transaction, row: WorkspaceRow) -> None:
    mine = (credentials.c.project_id == row.project_id) & (credentials.c.workspace_id == row.id)
    tx.change(delete(credentials).where(mine))
    tx.change(delete(workspaces).where(workspaces.c.project_id == row.project_id, workspaces.c.id == row.id))


def add_credentials(tx: Transaction, row: CredentialsRow) -> None:
    tx.change(insert(credentials).values(msgspec.structs.asdict(row)))


def find_credentials(tx: Transaction, workspace: WorkspaceRow, credentials_id: int) -> CredentialsRow | None:
    statement = select(credentials).where(
        credentials.c.project_id == workspace.project_id,
        credentials.c.workspace_id == workspace.id,
        credentials.c.id == credentials_id,
    )
    return tx.one(statement, into=CredentialsRow)


def count_credentials(tx: Transaction, workspace: WorkspaceRow) -> int:
    mine = (credentials.c.project_id == workspace.project_id) & (credentials.c.workspace_id == workspace.id)
    return len(tx.all(select(credentials).where(mine), into=CredentialsRow))


def remove_credentials(tx: Transaction, row: CredentialsRow) -> None:
    tx.change(delete(credentials).where(credentials.c.project_id == row.project_id, credentials.c.id == row.id))
