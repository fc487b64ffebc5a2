"""The table of authorizations that are under way."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text, delete, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.oauth.models.authorizations import AuthorizationRow

authorizations = Table(
    "oauth_authorizations",
    metadata,
    Column("state", Text, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("sign_in_id", BigInteger, nullable=False),
    Column("session", Text, nullable=False),
    Column("component_id", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("authorized_for", Text, nullable=False),
    Column("creator_description", Text, nullable=False),
    Column("return_url", Text, nullable=False),
    Column("redirect_uri", Text, nullable=False),
    Column("oauth_version", Text, nullable=False),
    Column("app_key", Text, nullable=False),
    Column("app_secret", Text, nullable=False),
    Column("component_secret", Text, nullable=False),
    Column("token_url", Text, nullable=False),
    Column("verifier", Text, nullable=False),
    Column("has_custom_token_url", Boolean, nullable=False),
    Column("expires", Timestamp, nullable=False),
    Index("oauth_authorizations_by_project", "project_id", "expires"),
)


def add_authorization(tx: Transaction, row: AuthorizationRow) -> None:
    tx.change(insert(authorizations).values(msgspec.structs.asdict(row)))


def find_authorization(tx: Transaction, state: str) -> AuthorizationRow | None:
    """Find an authorization of any project: only the state names the project."""
    found = tx.converted(select(authorizations).where(authorizations.c.state == state), into=AuthorizationRow)
    return found[0] if found else None


def remove_authorization(tx: Transaction, row: AuthorizationRow) -> bool:
    """False if another request has removed it."""
    same = (authorizations.c.project_id == row.project_id, authorizations.c.state == row.state)
    return tx.change(delete(authorizations).where(*same)) > 0


def remove_above(tx: Transaction, project_id: int, limit: int) -> None:
    """Keep the newest ones of a project."""
    kept = select(authorizations.c.state).where(authorizations.c.project_id == project_id)
    kept = kept.order_by(authorizations.c.expires.desc()).limit(limit)
    above = (authorizations.c.project_id == project_id, authorizations.c.state.not_in(kept))
    tx.change(delete(authorizations).where(*above))


def remove_of_branch(tx: Transaction, project_id: int, branch_id: int) -> None:
    same = (authorizations.c.project_id == project_id, authorizations.c.branch_id == branch_id)
    tx.change(delete(authorizations).where(*same))


def remove_expired(tx: Transaction, now: datetime) -> None:
    """Remove expired authorizations of all projects."""
    tx.change(delete(authorizations).where(authorizations.c.expires <= now))
