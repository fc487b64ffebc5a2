"""The tables of service accounts and of logins."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.accounts import AccountRow, LoginRow

accounts = Table(
    "developer_accounts",
    metadata,
    Column("username", Text, primary_key=True),
    Column("description", Text, nullable=False),
    Column("vendors", JSON, nullable=False),
    Column("is_admin", Boolean, nullable=False),
    Column("password_hash", LargeBinary, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
)
logins = Table(
    "developer_logins",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("username", Text, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp, nullable=False),
    Column("sign_in_id", BigInteger),
    Index("developer_logins_by_username", "username"),
)


def find_account(tx: Transaction, username: str) -> AccountRow | None:
    return tx.one(select(accounts).where(accounts.c.username == username), AccountRow)


def list_accounts(tx: Transaction) -> list[AccountRow]:
    return tx.all(select(accounts).order_by(accounts.c.username), AccountRow)


def add_account(tx: Transaction, row: AccountRow) -> None:
    tx.change(insert(accounts).values(msgspec.structs.asdict(row)))


def remove_account(tx: Transaction, username: str) -> bool:
    """Remove an account with its logins."""
    tx.change(delete(logins).where(logins.c.username == username))
    return tx.change(delete(accounts).where(accounts.c.username == username)) > 0


def find_login(tx: Transaction, login_id: int) -> LoginRow | None:
    return tx.one(select(logins).where(logins.c.id == login_id), LoginRow)


def add_login(tx: Transaction, row: LoginRow) -> None:
    tx.change(insert(logins).values(msgspec.structs.asdict(row)))


def change_login(tx: Transaction, login_id: int, generation: int) -> None:
    tx.change(update(logins).where(logins.c.id == login_id).values(generation=generation))


def remove_login(tx: Transaction, login_id: int) -> None:
    tx.change(delete(logins).where(logins.c.id == login_id))


def remove_expired_logins(tx: Transaction, now: datetime) -> None:
    tx.change(delete(logins).where(logins.c.expires <= now))
