"""Manage tokens: what programs of the operator send in X-KBC-ManageApiToken. Each has scopes."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import JSON, BigInteger, Column, LargeBinary, Table, Text, delete, insert, select

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import CALLERS, SignedIn
from penstock.foundation.database import Moment, Transaction, metadata
from penstock.foundation.errors import Invalid, NotFound, Unauthorized
from penstock.foundation.stack import Stack
from penstock.web.auth.manage_token import MANAGE_TOKEN, SCOPES

LONGEST = 10 * 365 * 86400
_TOKEN = re.compile(r"manage-(\d{1,18})-([0-9a-f]{60})")

manage_tokens = Table(
    "management_tokens",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("description", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment),
    Column("user_id", BigInteger),
    Column("last_used", Moment),
)


class ManageToken(msgspec.Struct, frozen=True):
    id: int
    secret_hash: bytes
    description: str
    scopes: list[str]
    created: datetime
    expires: datetime | None
    user_id: int | None = None
    """The user that it belongs to; None for programs of the operator."""
    last_used: datetime | None = None

    @property
    def is_expired(self) -> bool:
        return self.expires is not None and self.expires <= clock.now()


class InvalidManageToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Invalid manage token")


class UnknownScope(Invalid):
    def __init__(self, scope: str) -> None:
        super().__init__(f'"{scope}" is not a scope of manage tokens. Use one of: {", ".join(SCOPES)}.')


def create_manage_token(
    tx: Transaction, description: str, scopes: Sequence[str], expires_in: int | None = None
) -> tuple[ManageToken, str]:
    """The token and its text, which is returned once and not stored."""
    for scope in scopes:
        if scope not in SCOPES:
            raise UnknownScope(scope)
    now, secret = clock.now(), ids.new_secret()
    expires = None if expires_in is None else now + timedelta(seconds=_check_seconds(expires_in))
    token = ManageToken(ids.new_id(tx), ids.hash_secret(secret), description, sorted(set(scopes)), now, expires)
    tx.change(insert(manage_tokens).values(msgspec.structs.asdict(token)))
    _record(tx, "token.created", token.id, description=description, scopes=token.scopes)
    return token, f"manage-{token.id}-{secret}"


def _check_seconds(seconds: int) -> int:
    if not 0 < seconds <= LONGEST:
        raise Invalid(f"A manage token expires in 1 to {LONGEST} seconds, or never; {seconds} is neither.")
    return seconds


def list_manage_tokens(tx: Transaction) -> list[ManageToken]:
    return tx.all(select(manage_tokens).order_by(manage_tokens.c.id), into=ManageToken)


def revoke_manage_token(tx: Transaction, token_id: int) -> None:
    """It stops working with the commit, in every process."""
    ids.count_change(tx, CALLERS)
    if not tx.change(delete(manage_tokens).where(manage_tokens.c.id == token_id)):
        raise NotFound(f"There is no manage token {token_id}.")
    _record(tx, "token.deleted", token_id)


def _record(tx: Transaction, event: str, token_id: int, **details: object) -> None:
    """By the operator: no route changes manage tokens."""
    target = f"manage token {token_id}"
    audit.record(tx, audit.NewEntry(event=event, project_id=0, target=target, details=details))


def authenticate_manager(stack: Stack, text: str) -> SignedIn:
    """Who has this manage token; its scopes are its rights."""
    match = _TOKEN.fullmatch(text.strip())
    if not match:
        raise InvalidManageToken
    with stack.database.reading() as tx:
        token = tx.one(select(manage_tokens).where(manage_tokens.c.id == int(match[1])), into=ManageToken)
    if not token or not hmac.compare_digest(token.secret_hash, ids.hash_secret(match[2])) or token.is_expired:
        raise InvalidManageToken
    return _to_caller(token)


def _to_caller(token: ManageToken) -> SignedIn:
    return SignedIn(
        scheme=MANAGE_TOKEN,
        project_id=0,
        token_id=token.id,
        description=token.description,
        expires=token.expires,
        subject=f"manage token {token.id}",
        rights=frozenset(SCOPES[scope] for scope in token.scopes if scope in SCOPES),
    )
