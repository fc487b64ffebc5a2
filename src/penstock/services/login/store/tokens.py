"""Tokens of people: personal, access and refresh tokens, and sessions of browsers."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

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
    bindparam,
    delete,
    insert,
    select,
    update,
)

from penstock.foundation import clock, ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Timestamp, Transaction, metadata

Kind = Literal["personal", "access", "refresh", "session"]

tokens = Table(
    "management_access_tokens",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("family_id", BigInteger, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("description", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Column("used", Timestamp),
    Column("project_ids", JSON, nullable=False),
    Column("only_reads", Boolean, nullable=False),
    Column("last_used", Timestamp),
    Column("client_id", Text, nullable=False),
    Column("resource", Text, nullable=False),
    Index("management_access_tokens_of", "user_id", "kind"),
    Index("management_access_tokens_family", "family_id"),
)


class Token(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    kind: Kind
    user_id: int
    family_id: int
    """What is revoked together: everything that came of one sign-in."""
    secret_hash: bytes
    description: str
    created: datetime
    expires: datetime | None = None
    used: datetime | None = None
    """When a refresh token was exchanged for the next one."""
    project_ids: list[int] = []
    """The only projects that it opens; empty for all of its user."""
    only_reads: bool = False
    last_used: datetime | None = None
    """To the minute."""
    client_id: str = ""
    """Of the registered program that it was issued to; empty for all others."""
    resource: str = ""
    """The address that such a program asked to use."""

    @property
    def is_expired(self) -> bool:
        return self.expires is not None and self.expires <= clock.now()


_FIND = select(tokens).where(tokens.c.id == bindparam("token_id"))


def add_token(tx: Transaction, token: Token) -> None:
    tx.change(insert(tokens).values(msgspec.structs.asdict(token)))


def find_token(tx: Transaction, token_id: int) -> Token | None:
    return tx.one(_FIND, Token, token_id=token_id)


def list_tokens(tx: Transaction, kinds: tuple[Kind, ...], user_id: int | None = None) -> list[Token]:
    query = select(tokens).where(tokens.c.kind.in_(kinds)).order_by(tokens.c.id)
    return tx.all(query if user_id is None else query.where(tokens.c.user_id == user_id), into=Token)


def list_family(tx: Transaction, user_id: int, family_id: int) -> list[Token]:
    same = (tokens.c.user_id == user_id) & (tokens.c.family_id == family_id)
    return tx.all(select(tokens).where(same).order_by(tokens.c.id), into=Token)


def has_valid(tx: Transaction, family_id: int) -> bool:
    """Whether a token of the family works."""
    return any(not each.is_expired for each in tx.all(select(tokens).where(tokens.c.family_id == family_id), Token))


def mark_used(tx: Transaction, token: Token) -> None:
    tx.change(update(tokens).where(tokens.c.id == token.id).values(used=clock.now()))


def remove_family(tx: Transaction, user_id: int, family_id: int) -> bool:
    """Whether there was one."""
    ids.count_change(tx, CALLERS)
    same = (tokens.c.user_id == user_id) & (tokens.c.family_id == family_id)
    return tx.change(delete(tokens).where(same)) > 0


def remove_tokens(tx: Transaction, user_id: int, kinds: tuple[Kind, ...], keep_family: int = 0) -> None:
    ids.count_change(tx, CALLERS)
    others = (tokens.c.user_id == user_id) & (tokens.c.family_id != keep_family)
    tx.change(delete(tokens).where(others, tokens.c.kind.in_(kinds)))


def remove_expired(tx: Transaction, before: datetime) -> None:
    tx.change(delete(tokens).where(tokens.c.expires < before))
