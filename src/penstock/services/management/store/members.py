"""Members of maintainers, organizations and projects."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.events import publish
from penstock.services.management.models.events import MemberRemoved
from penstock.services.management.models.people import Level, Member

members = Table(
    "management_members",
    metadata,
    Column("level", Text, primary_key=True),
    Column("owner_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("role", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Column("invitor_id", BigInteger),
    Column("approver_id", BigInteger),
    Index("management_members_by_user", "user_id", "level"),
)

_FIND = select(members).where(
    members.c.level == bindparam("level"),
    members.c.owner_id == bindparam("owner_id"),
    members.c.user_id == bindparam("user_id"),
)


def add_member(tx: Transaction, member: Member) -> None:
    tx.change(insert(members).values(msgspec.structs.asdict(member)))
    ids.count_change(tx, CALLERS)


def change_member(tx: Transaction, member: Member) -> None:
    tx.change(
        update(members)
        .where(*_is(member.level, member.owner_id, member.user_id))
        .values(msgspec.structs.asdict(member))
    )
    ids.count_change(tx, CALLERS)


def find_member(tx: Transaction, level: Level, owner_id: int, user_id: int) -> Member | None:
    return tx.one(_FIND, Member, level=level, owner_id=owner_id, user_id=user_id)


def list_members(tx: Transaction, level: Level, owner_id: int) -> list[Member]:
    query = select(members).where(members.c.level == level, members.c.owner_id == owner_id)
    return tx.all(query.order_by(members.c.user_id), into=Member)


def list_members_of_all(tx: Transaction, level: Level, owner_ids: Collection[int]) -> list[Member]:
    query = select(members).where(members.c.level == level, members.c.owner_id.in_(list(owner_ids)))
    return tx.all(query.order_by(members.c.owner_id, members.c.user_id), into=Member)


def count_by_owner(tx: Transaction, level: Level, owner_ids: Collection[int]) -> dict[int, int]:
    """How many members each of them has, if it has any."""
    mine = (members.c.level == level, members.c.owner_id.in_(list(owner_ids)))
    query = select(members.c.owner_id, func.count()).where(*mine).group_by(members.c.owner_id)
    return {owner: int(count) for owner, count in tx.connection.execute(query)}


def remove_members(tx: Transaction, level: Level, owner_id: int) -> None:
    ids.count_change(tx, CALLERS)
    tx.change(delete(members).where(members.c.level == level, members.c.owner_id == owner_id))


def list_memberships(tx: Transaction, user_id: int) -> list[Member]:
    """What a user is a member of."""
    query = select(members).where(members.c.user_id == user_id).order_by(members.c.level, members.c.owner_id)
    return tx.all(query, into=Member)


def remove_member(tx: Transaction, level: Level, owner_id: int, user_id: int) -> bool:
    """The tokens that it has in a project stop working at once, and are removed."""
    ids.count_change(tx, CALLERS)
    is_removed = tx.change(delete(members).where(*_is(level, owner_id, user_id))) > 0
    if is_removed and level == "project":
        publish(tx, MemberRemoved(project_id=owner_id, user_id=user_id))
    return is_removed


def count_members(tx: Transaction, level: Level, owner_id: int) -> int:
    query = select(func.count()).where(members.c.level == level, members.c.owner_id == owner_id)
    return int(tx.value(query))


def _is(level: Level, owner_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return members.c.level == level, members.c.owner_id == owner_id, members.c.user_id == user_id
