"""How a user can sign in: password and second factor."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import JSON, BigInteger, Boolean, Column, Table, Text, delete, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata

logins = Table(
    "management_logins",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("password_hash", Text),
    Column("password_changed", Timestamp),
    Column("totp_cipher", Text),
    Column("is_totp_confirmed", Boolean, nullable=False),
    Column("totp_step", BigInteger, nullable=False),
    Column("recovery_hashes", JSON, nullable=False),
)


class Login(msgspec.Struct, frozen=True, kw_only=True):
    user_id: int
    password_hash: str | None = None
    password_changed: datetime | None = None
    totp_cipher: str | None = None
    """The encrypted key of the authenticator app."""
    is_totp_confirmed: bool = False
    """Whether a code was entered: before that, the second factor is not asked for."""
    totp_step: int = 0
    """The period of the last accepted code: it and older ones are not accepted again."""
    recovery_hashes: list[str] = []

    @property
    def has_second_factor(self) -> bool:
        return self.is_totp_confirmed and self.totp_cipher is not None


def get_login(tx: Transaction, user_id: int) -> Login:
    """One without a password if the user has never set one."""
    found = tx.one(select(logins).where(logins.c.user_id == user_id), into=Login)
    return found or Login(user_id=user_id)


def save_login(tx: Transaction, login: Login) -> None:
    remove_login(tx, login.user_id)
    tx.change(insert(logins).values(msgspec.structs.asdict(login)))


def remove_login(tx: Transaction, user_id: int) -> None:
    tx.change(delete(logins).where(logins.c.user_id == user_id))


def has_any_password(tx: Transaction) -> bool:
    return tx.value(select(logins.c.user_id).where(logins.c.password_hash.is_not(None)).limit(1)) is not None
