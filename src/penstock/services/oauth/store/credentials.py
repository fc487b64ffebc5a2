"""The table of credentials."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import BigInteger, Column, Index, Table, Text, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.secrets import PREFIX
from penstock.services.oauth.models.credentials import CredentialRow

credentials = Table(
    "oauth_credentials",
    metadata,
    Column("number", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("component_id", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("authorized_for", Text, nullable=False),
    Column("creator_description", Text, nullable=False),
    Column("oauth_version", Text, nullable=False),
    Column("app_key", Text, nullable=False),
    Column("app_secret", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("token_url", Text),
    Column("refresh_attempt", Text),
    Column("expires", Timestamp),
    Column("refresh_until", Timestamp),
    Column("created", Timestamp, nullable=False),
    Index("oauth_credentials_by_id", "project_id", "component_id", "id", "branch_id", unique=True),
)


def add_credential(tx: Transaction, row: CredentialRow) -> None:
    tx.change(insert(credentials).values(msgspec.structs.asdict(row)))


def list_credentials(
    tx: Transaction,
    project_id: int,
    *,
    component_id: str | None = None,
    credential_id: str | None = None,
    branch_id: int | None = None,
) -> list[CredentialRow]:
    """List credentials in the order in which they were made. What is None may be anything."""
    statement = select(credentials).where(credentials.c.project_id == project_id)
    if component_id is not None:
        statement = statement.where(credentials.c.component_id == component_id)
    if credential_id is not None:
        statement = statement.where(credentials.c.id == credential_id)
    if branch_id is not None:
        statement = statement.where(credentials.c.branch_id == branch_id)
    return tx.converted(statement.order_by(credentials.c.number), into=CredentialRow)


def find_by_number(tx: Transaction, project_id: int, number: int) -> CredentialRow | None:
    same = (credentials.c.project_id == project_id, credentials.c.number == number)
    found = tx.converted(select(credentials).where(*same), into=CredentialRow)
    return found[0] if found else None


def change_revision(tx: Transaction, row: CredentialRow, **values: Any) -> bool:
    """False if the credential was deleted or refreshed meanwhile."""
    same = (
        credentials.c.project_id == row.project_id,
        credentials.c.number == row.number,
        credentials.c.revision == row.revision,
    )
    return tx.change(update(credentials).where(*same).values(**values)) > 0


def remove_credential(tx: Transaction, row: CredentialRow) -> None:
    same = (credentials.c.project_id == row.project_id, credentials.c.number == row.number)
    tx.change(delete(credentials).where(*same))


def remove_of_branch(tx: Transaction, project_id: int, branch_id: int) -> None:
    same = (credentials.c.project_id == project_id, credentials.c.branch_id == branch_id)
    tx.change(delete(credentials).where(*same))


def list_sealed(tx: Transaction, limit: int) -> list[CredentialRow]:
    """List credentials of any project whose cipher was made by a stack like this one."""
    statement = select(credentials).where(credentials.c.data.startswith(PREFIX)).limit(limit)
    return tx.converted(statement, into=CredentialRow)
