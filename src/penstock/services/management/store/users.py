"""Users."""

from __future__ import annotations

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from penstock.foundation.database import Moment, Transaction, metadata
from penstock.services.management.models.people import User

users = Table(
    "management_users",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("email", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("is_super_admin", Boolean, nullable=False),
    Column("can_access_logs", Boolean, nullable=False),
    Column("features", JSON, nullable=False),
    UniqueConstraint("email", name="management_users_email"),
)

_FIND = select(users).where(users.c.id == bindparam("user_id"))
_FIND_BY_EMAIL = select(users).where(users.c.email == bindparam("email"))


def add_user(tx: Transaction, user: User) -> None:
    tx.change(insert(users).values(msgspec.structs.asdict(user)))


def change_user(tx: Transaction, user: User) -> None:
    tx.change(update(users).where(users.c.id == user.id).values(msgspec.structs.asdict(user)))


def find_user(tx: Transaction, user_id: int) -> User | None:
    return tx.one(_FIND, User, user_id=user_id)


def find_user_by_email(tx: Transaction, email: str) -> User | None:
    return tx.one(_FIND_BY_EMAIL, User, email=email.strip().lower())


def remove_user(tx: Transaction, user_id: int) -> bool:
    return tx.change(delete(users).where(users.c.id == user_id)) > 0
