"""Users."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Table,
    Text,
    UniqueConstraint,
    and_,
    bindparam,
    delete,
    false,
    func,
    select,
    update,
)

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.people import User
from penstock.services.management.store.logins import logins

users = Table(
    "management_users",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("email", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("is_super_admin", Boolean, nullable=False),
    Column("can_access_logs", Boolean, nullable=False),
    Column("features", JSON, nullable=False),
    UniqueConstraint("email", name="management_users_email"),
)

HAS_SECOND_FACTOR = func.coalesce(and_(logins.c.totp_cipher.is_not(None), logins.c.is_totp_confirmed), false())
_ALL = select(users, HAS_SECOND_FACTOR.label("mfa_enabled")).outerjoin(logins, logins.c.user_id == users.c.id)
_FIND = _ALL.where(users.c.id == bindparam("user_id"))
_FIND_BY_EMAIL = _ALL.where(users.c.email == bindparam("email"))


def add_user(tx: Transaction, user: User) -> None:
    """Unless somebody adds one with the same address at the same time: then there is that one."""
    tx.insert_all(users, [_values(user)], "ON CONFLICT (email) DO NOTHING")


def change_user(tx: Transaction, user: User) -> None:
    ids.count_change(tx, CALLERS)
    tx.change(update(users).where(users.c.id == user.id).values(_values(user)))


def _values(user: User) -> dict[str, Any]:
    """Return the columns without what is stored with its login."""
    return {name: value for name, value in msgspec.structs.asdict(user).items() if name in users.c}


def rename_user(tx: Transaction, user_id: int, name: str) -> None:
    """Change only the name, unless it is empty: others may change the rest in the meantime."""
    if name.strip():
        tx.change(update(users).where(users.c.id == user_id).values(name=name.strip()))


def find_user(tx: Transaction, user_id: int) -> User | None:
    return tx.one(_FIND, User, user_id=user_id)


def find_user_by_email(tx: Transaction, email: str) -> User | None:
    return tx.one(_FIND_BY_EMAIL, User, email=email.strip().lower())


def list_users(tx: Transaction, user_ids: Collection[int]) -> dict[int, User]:
    query = _ALL.where(users.c.id.in_(set(user_ids)))
    return {user.id: user for user in tx.all(query, into=User)}


def list_all_users(tx: Transaction) -> list[User]:
    return tx.all(_ALL.order_by(users.c.id), into=User)


def count_super_admins(tx: Transaction) -> int:
    return int(tx.value(select(func.count()).select_from(users).where(users.c.is_super_admin)))


def find_first_super_admin(tx: Transaction) -> User | None:
    return tx.one(_ALL.where(users.c.is_super_admin).order_by(users.c.id).limit(1), into=User)


def remove_user(tx: Transaction, user_id: int) -> bool:
    ids.count_change(tx, CALLERS)
    return tx.change(delete(users).where(users.c.id == user_id)) > 0
