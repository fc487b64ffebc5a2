"""The table of sessions."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Index, Table, Text, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.editor.models import SessionRow

sessions = Table(
    "editor_sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("workspace_id", BigInteger, nullable=False),
    Column("workspace_schema", Text, nullable=False),
    Column("workspace_database", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("component_id", Text),
    Column("configuration_id", Text),
    Column("login_type", Text),
    Column("last_error", Text),
    Column("job_ids", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("updated", Timestamp, nullable=False),
    Column("last_loaded", Timestamp),
    Index("editor_sessions_by_project", "project_id", "created"),
)


def add_session(tx: Transaction, row: SessionRow) -> None:
    tx.change(insert(sessions).values(msgspec.structs.asdict(row)))


def find_session(tx: Transaction, project_id: int, session_id: str) -> SessionRow | None:
    same = (sessions.c.project_id == project_id, sessions.c.id == session_id)
    found = tx.converted(select(sessions).where(*same), into=SessionRow)
    return found[0] if found else None


def list_sessions(tx: Transaction, project_id: int, *, branch_id: int | None, token_id: int | None) -> list[SessionRow]:
    """Oldest first; given a token or a branch, only theirs."""
    statement = select(sessions).where(sessions.c.project_id == project_id)
    if branch_id is not None:
        statement = statement.where(sessions.c.branch_id == branch_id)
    if token_id is not None:
        statement = statement.where(sessions.c.token_id == token_id)
    return tx.converted(statement.order_by(sessions.c.created, sessions.c.id), into=SessionRow)


def change_session(tx: Transaction, row: SessionRow, **values: Any) -> SessionRow:
    tx.change(update(sessions).where(sessions.c.id == row.id).values(**values))
    return msgspec.structs.replace(row, **values)


def remove_session(tx: Transaction, row: SessionRow) -> None:
    tx.change(delete(sessions).where(sessions.c.id == row.id))


def remove_of_branch(tx: Transaction, project_id: int, branch_id: int) -> None:
    tx.change(delete(sessions).where(sessions.c.project_id == project_id, sessions.c.branch_id == branch_id))
