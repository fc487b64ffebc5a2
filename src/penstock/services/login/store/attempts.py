"""Attempts to sign in, counted by who they are for and where they come from: all processes share them."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import Column, Integer, Table, Text, delete, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata

attempts = Table(
    "management_login_attempts",
    metadata,
    Column("key", Text, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("since", Timestamp, nullable=False),
    Column("until", Timestamp),
)


class Attempts(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    """A hash: the table does not tell who tried to sign in."""
    failures: int
    since: datetime
    until: datetime | None = None
    """Until when all attempts are refused."""


def find_attempts(tx: Transaction, key: str) -> Attempts | None:
    return tx.one(select(attempts).where(attempts.c.key == key), into=Attempts)


def save_attempts(tx: Transaction, row: Attempts) -> None:
    remove_attempts(tx, row.key)
    tx.change(insert(attempts).values(msgspec.structs.asdict(row)))


def remove_attempts(tx: Transaction, key: str) -> None:
    tx.change(delete(attempts).where(attempts.c.key == key))


def remove_old(tx: Transaction, before: datetime) -> None:
    tx.change(delete(attempts).where(attempts.c.since < before))
