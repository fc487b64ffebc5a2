"""Which users of the stack belong to which vendors."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Index, Table, Text, delete, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.accounts import MemberRow

members = Table(
    "developer_members",
    metadata,
    Column("vendor_id", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("created", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
    Index("developer_members_by_user", "user_id"),
)


def add_member(tx: Transaction, row: MemberRow) -> None:
    tx.change(insert(members).values(msgspec.structs.asdict(row)))


def find_member(tx: Transaction, vendor_id: str, user_id: int) -> MemberRow | None:
    query = select(members).where(members.c.vendor_id == vendor_id, members.c.user_id == user_id)
    return tx.one(query, MemberRow)


def list_members(tx: Transaction, vendor_id: str) -> list[MemberRow]:
    return tx.all(select(members).where(members.c.vendor_id == vendor_id).order_by(members.c.user_id), MemberRow)


def list_vendors_of(tx: Transaction, user_id: int) -> list[str]:
    query = select(members.c.vendor_id).where(members.c.user_id == user_id).order_by(members.c.vendor_id)
    return list(tx.connection.scalars(query))


def remove_member(tx: Transaction, vendor_id: str, user_id: int) -> bool:
    same = (members.c.vendor_id == vendor_id) & (members.c.user_id == user_id)
    return tx.change(delete(members).where(same)) > 0
