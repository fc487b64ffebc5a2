"""Invitations, and requests to join a project."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, LargeBinary, Table, Text, UniqueConstraint

from penstock.foundation.database import Moment, metadata

invitations = Table(
    "management_invitations",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("level", Text, nullable=False),
    Column("owner_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment),
    Column("valid_until", Moment),
    Column("code_hash", LargeBinary),
    UniqueConstraint("level", "owner_id", "user_id", name="management_invitations_once"),
    Index("management_invitations_by_user", "user_id", "level"),
)

join_requests = Table(
    "management_join_requests",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment),
    UniqueConstraint("project_id", "user_id", name="management_join_requests_once"),
    Index("management_join_requests_by_user", "user_id"),
)
