"""Tokens."""

from __future__ import annotations

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    LargeBinary,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    false,
    insert,
    select,
    update,
)

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.interface import members, projects
from penstock.services.storage.models.tokens import HeldToken, TokenRow
from penstock.services.storage.store.branches import branches

tokens = Table(
    "storage_tokens",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False, index=True),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("description", Text, nullable=False),
    Column("is_master", Boolean, nullable=False),
    Column("can_manage_buckets", Boolean, nullable=False),
    Column("can_manage_tokens", Boolean, nullable=False),
    Column("can_create_jobs", Boolean, nullable=False),
    Column("bucket_permissions", JSON, nullable=False),
    Column("component_access", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("refreshed", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Column("creator_id", BigInteger),
    Column("creator_description", Text),
    Column("can_read_all_files", Boolean, nullable=False, server_default=false()),
    Column("can_purge_trash", Boolean, nullable=False, server_default=false()),
    Column("user_id", BigInteger),
    Column("creator_user_id", BigInteger),
    Column("shared_hashes", JSON, nullable=False, server_default="[]"),
    Index("storage_tokens_of_users", "user_id", "project_id"),
)


_FIND = select(tokens).where(tokens.c.project_id == bindparam("project_id"), tokens.c.id == bindparam("token_id"))

_IS_MEMBER = and_(
    members.c.level == "project", members.c.owner_id == tokens.c.project_id, members.c.user_id == tokens.c.user_id
)
_of_organization = members.alias()
_IS_OF_ORGANIZATION = exists().where(
    _of_organization.c.level == "organization",
    _of_organization.c.owner_id == projects.c.organization_id,
    _of_organization.c.user_id == tokens.c.user_id,
)
_FIND_HELD = (
    _FIND.add_columns(
        branches.c.id.label("main_branch_id"),
        members.c.role,
        members.c.expires.label("member_until"),
        *(projects.c[name] for name in ("features", "is_disabled", "disable_reason", "enabled_again", "deleted")),
        projects.c.expires.label("project_until"),
        _IS_OF_ORGANIZATION.label("is_of_organization"),
    )
    .join(branches, and_(branches.c.project_id == tokens.c.project_id, branches.c.is_default))
    .join(projects, projects.c.id == tokens.c.project_id)
    .outerjoin(members, _IS_MEMBER)
)


def add_token(tx: Transaction, token: TokenRow) -> None:
    tx.change(insert(tokens).values(msgspec.structs.asdict(token)))


def change_token(tx: Transaction, token: TokenRow) -> None:
    """Replace a token, its secret included."""
    same = (tokens.c.project_id == token.project_id) & (tokens.c.id == token.id)
    tx.change(update(tokens).where(same).values(msgspec.structs.asdict(token)))
    ids.count_change(tx, CALLERS)


def find_token(tx: Transaction, project_id: int, token_id: int) -> TokenRow | None:
    return tx.one(_FIND, TokenRow, project_id=project_id, token_id=token_id)


def find_held_token(tx: Transaction, project_id: int, token_id: int) -> HeldToken | None:
    """A token with what authentication needs, in one query, because every request runs it."""
    return tx.one(_FIND_HELD, HeldToken, project_id=project_id, token_id=token_id)


def find_member_token(tx: Transaction, project_id: int, user_id: int) -> int | None:
    """The id of the token of a member, if it has one. Others of it act for the member for a while."""
    mine = select(tokens.c.id).where(tokens.c.user_id == user_id, tokens.c.project_id == project_id, tokens.c.is_master)
    return tx.value(mine.order_by(tokens.c.id).limit(1))


def remove_member_tokens(tx: Transaction, project_id: int, user_id: int) -> None:
    ids.count_change(tx, CALLERS)
    tx.change(delete(tokens).where(tokens.c.user_id == user_id, tokens.c.project_id == project_id))


def list_tokens(tx: Transaction, project_id: int) -> list[TokenRow]:
    return tx.all(select(tokens).where(tokens.c.project_id == project_id).order_by(tokens.c.id), into=TokenRow)


def remove_token(tx: Transaction, project_id: int, token_id: int) -> bool:
    ids.count_change(tx, CALLERS)
    return tx.change(delete(tokens).where(tokens.c.project_id == project_id, tokens.c.id == token_id)) > 0
