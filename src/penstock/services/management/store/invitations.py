"""Invitations, and requests to join a project."""

from __future__ import annotations

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    delete,
    insert,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.memberships import Invitation, JoinRequest
from penstock.services.management.models.people import Level

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
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Column("valid_until", Timestamp),
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
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    UniqueConstraint("project_id", "user_id", name="management_join_requests_once"),
    Index("management_join_requests_by_user", "user_id"),
)


def add_invitation(tx: Transaction, row: Invitation) -> None:
    tx.change(insert(invitations).values(msgspec.structs.asdict(row)))


def find_invitation(tx: Transaction, level: Level, owner_id: int, invitation_id: int) -> Invitation | None:
    query = select(invitations).where(invitations.c.id == invitation_id, invitations.c.level == level)
    return tx.one(query.where(invitations.c.owner_id == owner_id), into=Invitation)


def find_invitation_of(tx: Transaction, user_id: int, invitation_id: int) -> Invitation | None:
    """Find an invitation of this user."""
    query = select(invitations).where(invitations.c.id == invitation_id, invitations.c.user_id == user_id)
    return tx.one(query, into=Invitation)


def find_any_invitation(tx: Transaction, invitation_id: int) -> Invitation | None:
    return tx.one(select(invitations).where(invitations.c.id == invitation_id), into=Invitation)


def has_invitation(tx: Transaction, level: Level, owner_id: int, user_id: int) -> bool:
    same = (invitations.c.level == level, invitations.c.owner_id == owner_id, invitations.c.user_id == user_id)
    return tx.value(select(invitations.c.id).where(*same)) is not None


def list_invitations(tx: Transaction, level: Level, owner_id: int) -> list[Invitation]:
    query = select(invitations).where(invitations.c.level == level, invitations.c.owner_id == owner_id)
    return tx.all(query.order_by(invitations.c.id), into=Invitation)


def list_invitations_of(tx: Transaction, user_id: int, level: Level) -> list[Invitation]:
    """List the invitations that a user has received."""
    query = select(invitations).where(invitations.c.user_id == user_id, invitations.c.level == level)
    return tx.all(query.order_by(invitations.c.id), into=Invitation)


def forget_code(tx: Transaction, invitation_id: int) -> None:
    tx.change(update(invitations).where(invitations.c.id == invitation_id).values(code_hash=None))


def remove_invitation(tx: Transaction, invitation_id: int) -> None:
    tx.change(delete(invitations).where(invitations.c.id == invitation_id))


def remove_invitations(tx: Transaction, level: Level, owner_id: int) -> None:
    tx.change(delete(invitations).where(invitations.c.level == level, invitations.c.owner_id == owner_id))


def remove_everything_of(tx: Transaction, user_id: int) -> None:
    """What a user was invited to and has asked for."""
    tx.change(delete(invitations).where(invitations.c.user_id == user_id))
    tx.change(delete(join_requests).where(join_requests.c.user_id == user_id))


def add_join_request(tx: Transaction, row: JoinRequest) -> None:
    tx.change(insert(join_requests).values(msgspec.structs.asdict(row)))


def find_join_request(tx: Transaction, project_id: int, request_id: int) -> JoinRequest | None:
    query = select(join_requests).where(join_requests.c.id == request_id, join_requests.c.project_id == project_id)
    return tx.one(query, into=JoinRequest)


def find_join_request_of(tx: Transaction, user_id: int, request_id: int) -> JoinRequest | None:
    query = select(join_requests).where(join_requests.c.id == request_id, join_requests.c.user_id == user_id)
    return tx.one(query, into=JoinRequest)


def has_join_request(tx: Transaction, project_id: int, user_id: int) -> bool:
    same = (join_requests.c.project_id == project_id, join_requests.c.user_id == user_id)
    return tx.value(select(join_requests.c.id).where(*same)) is not None


def list_join_requests(tx: Transaction, project_id: int) -> list[JoinRequest]:
    query = select(join_requests).where(join_requests.c.project_id == project_id)
    return tx.all(query.order_by(join_requests.c.id), into=JoinRequest)


def list_join_requests_of(tx: Transaction, user_id: int) -> list[JoinRequest]:
    query = select(join_requests).where(join_requests.c.user_id == user_id)
    return tx.all(query.order_by(join_requests.c.id), into=JoinRequest)


def remove_join_request(tx: Transaction, request_id: int) -> None:
    tx.change(delete(join_requests).where(join_requests.c.id == request_id))


def remove_join_requests(tx: Transaction, project_id: int, user_id: int) -> None:
    same = (join_requests.c.project_id == project_id, join_requests.c.user_id == user_id)
    tx.change(delete(join_requests).where(*same))
