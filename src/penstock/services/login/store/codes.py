"""Codes that work once: of links, of programs that wait for a person, of sign-ins that are not complete."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Index, Table, Text, delete, func, insert, select, update

from penstock.foundation import clock, ids
from penstock.foundation.database import Timestamp, Transaction, metadata

Kind = Literal["link", "reset", "mfa", "authorization", "grant", "device", "sso"]
OF_USERS: tuple[Kind, ...] = ("link", "reset", "mfa", "authorization", "grant", "device")
"""What a user could sign in with."""

codes = Table(
    "management_login_codes",
    metadata,
    Column("code_hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("label", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("expires", Timestamp, nullable=False),
    Column("used", Timestamp),
    Index("management_login_codes_by_label", "kind", "label"),
)


class Code(msgspec.Struct, frozen=True, kw_only=True):
    code_hash: str
    kind: Kind
    expires: datetime
    user_id: int = 0
    """0 as long as nobody has signed in for it."""
    label: str = ""
    """By which else it is found: the hash of what a person types."""
    data: dict[str, Any] = {}
    used: datetime | None = None

    @property
    def is_valid(self) -> bool:
        return self.used is None and self.expires > clock.now()


MAX_WAITING = 10_000
"""Of one kind: nobody has to sign in to make them."""


def count_waiting(tx: Transaction, kind: Kind) -> int:
    waiting = (codes.c.kind == kind) & (codes.c.expires > clock.now())
    return int(tx.value(select(func.count()).select_from(codes).where(waiting)))


def hash_code(text: str) -> str:
    return ids.hash_secret(text).hex()


def add_code(tx: Transaction, code: Code) -> None:
    tx.change(insert(codes).values(msgspec.structs.asdict(code)))


def find_code(tx: Transaction, kind: Kind, text: str) -> Code | None:
    """Also one that was used or has expired."""
    return tx.one(select(codes).where(codes.c.code_hash == hash_code(text), codes.c.kind == kind), into=Code)


def find_by_label(tx: Transaction, kind: Kind, label: str) -> Code | None:
    """The last one that is valid."""
    found = tx.all(select(codes).where(codes.c.kind == kind, codes.c.label == label), into=Code)
    return next((code for code in found if code.is_valid), None)


def change_code(tx: Transaction, code: Code) -> None:
    tx.change(update(codes).where(codes.c.code_hash == code.code_hash).values(msgspec.structs.asdict(code)))


def use_code(tx: Transaction, code: Code) -> bool:
    """Whether it had not been used."""
    unused = (codes.c.code_hash == code.code_hash) & codes.c.used.is_(None)
    return tx.change(update(codes).where(unused).values(used=clock.now())) > 0


def remove_code(tx: Transaction, code: Code) -> None:
    tx.change(delete(codes).where(codes.c.code_hash == code.code_hash))


def remove_codes(tx: Transaction, user_id: int, *kinds: Kind) -> None:
    tx.change(delete(codes).where(codes.c.user_id == user_id, codes.c.kind.in_(kinds)))


def remove_expired(tx: Transaction, before: datetime) -> None:
    tx.change(delete(codes).where(codes.c.expires < before))
