"""The tables of sign-ups, of invitations and requests to join a vendor."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import BigInteger, Column, LargeBinary, Table, Text, delete, func, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.people import InvitationRow, JoinRequestRow, SignUpRow

sign_ups = Table(
    "developer_sign_ups",
    metadata,
    Column("email", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("code_hash", LargeBinary, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp, nullable=False),
)
invitations = Table(
    "developer_invitations",
    metadata,
    Column("vendor_id", Text, primary_key=True),
    Column("email", Text, primary_key=True),
    Column("code_hash", LargeBinary, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
)
join_requests = Table(
    "developer_join_requests",
    metadata,
    Column("vendor_id", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("created", Timestamp, nullable=False),
)


def find_sign_up(tx: Transaction, email: str) -> SignUpRow | None:
    return tx.one(select(sign_ups).where(sign_ups.c.email == email), SignUpRow)


def list_sign_ups(tx: Transaction) -> list[SignUpRow]:
    return tx.all(select(sign_ups).order_by(sign_ups.c.email), SignUpRow)


def count_sign_ups(tx: Transaction) -> int:
    return int(tx.value(select(func.count()).select_from(sign_ups)))


def put_sign_up(tx: Transaction, row: SignUpRow) -> None:
    """Store a sign-up in place of an older one of the address."""
    remove_sign_up(tx, row.email)
    tx.change(insert(sign_ups).values(msgspec.structs.asdict(row)))


def remove_sign_up(tx: Transaction, email: str) -> bool:
    return tx.change(delete(sign_ups).where(sign_ups.c.email == email)) > 0


def find_invitation(tx: Transaction, vendor_id: str, email: str) -> InvitationRow | None:
    query = select(invitations).where(invitations.c.vendor_id == vendor_id, invitations.c.email == email)
    return tx.one(query, InvitationRow)


def put_invitation(tx: Transaction, row: InvitationRow) -> None:
    """Store an invitation in place of an older one of the address."""
    remove_invitation(tx, row.vendor_id, row.email)
    tx.change(insert(invitations).values(msgspec.structs.asdict(row)))


def remove_invitation(tx: Transaction, vendor_id: str, email: str) -> bool:
    same = (invitations.c.vendor_id == vendor_id) & (invitations.c.email == email)
    return tx.change(delete(invitations).where(same)) > 0


def find_join_request(tx: Transaction, vendor_id: str, user_id: int) -> JoinRequestRow | None:
    same = (join_requests.c.vendor_id == vendor_id) & (join_requests.c.user_id == user_id)
    return tx.one(select(join_requests).where(same), JoinRequestRow)


def list_join_requests(tx: Transaction, vendor_id: str) -> list[JoinRequestRow]:
    query = select(join_requests).where(join_requests.c.vendor_id == vendor_id)
    return tx.all(query.order_by(join_requests.c.created, join_requests.c.user_id), JoinRequestRow)


def add_join_request(tx: Transaction, row: JoinRequestRow) -> None:
    tx.change(insert(join_requests).values(msgspec.structs.asdict(row)))


def remove_join_request(tx: Transaction, vendor_id: str, user_id: int) -> bool:
    same = (join_requests.c.vendor_id == vendor_id) & (join_requests.c.user_id == user_id)
    return tx.change(delete(join_requests).where(same)) > 0


def remove_expired(tx: Transaction, now: datetime) -> None:
    tx.change(delete(sign_ups).where(sign_ups.c.expires <= now))
    tx.change(delete(invitations).where(invitations.c.expires <= now))
