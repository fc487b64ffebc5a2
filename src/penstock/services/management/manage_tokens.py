"""Manage tokens: what users and programs of the operator send in X-KBC-ManageApiToken. Those of programs have scopes;
those of users may do what their users may."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import JSON, BigInteger, Column, LargeBinary, Table, Text, bindparam, delete, insert, select

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import CALLERS, OF_OBJECTS, AnyRight, Right, SignedIn
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.errors import Invalid, NotFound, Unauthorized
from penstock.foundation.stack import Stack
from penstock.services.management.last_uses import note_use
from penstock.services.management.models.people import User
from penstock.services.management.store.users import find_user
from penstock.web.auth.manage_token import MANAGE_TOKEN, SUPER_SCOPE

MAX_LIFETIME = 10 * 365 * 86400
_TOKEN = re.compile(r"manage-(\d{1,18})-([0-9a-f]{60})")

manage_tokens = Table(
    "management_tokens",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("description", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Column("user_id", BigInteger),
    Column("last_used", Timestamp),
)


_FIND = select(manage_tokens).where(manage_tokens.c.id == bindparam("token_id"))


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
    """To the minute."""

    @property
    def is_expired(self) -> bool:
        return self.expires is not None and self.expires <= clock.now()


class InvalidManageToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Invalid manage token")


class UnknownScope(Invalid):
    def __init__(self, scope: str, allowed: Sequence[str]) -> None:
        super().__init__(f'"{scope}" is not a scope of manage tokens. Use one of: {", ".join(allowed)}.')


def check_scopes(scopes: Sequence[str], allowed: Sequence[str]) -> None:
    """`allowed` are the scopes of the services of this stack, and `super`."""
    for scope in scopes:
        if scope not in allowed:
            raise UnknownScope(scope, allowed)


def create_manage_token(
    tx: Transaction, description: str, scopes: Sequence[str], expires_in: int | None = None, user: User | None = None
) -> tuple[ManageToken, str]:
    """The token and its text, which is returned once and not stored. Without a user it is a program's."""
    now, secret = clock.now(), ids.new_secret()
    expires = None if expires_in is None else now + timedelta(seconds=_check_seconds(expires_in))
    token = ManageToken(
        id=ids.new_id(tx),
        secret_hash=ids.hash_secret(secret),
        description=description,
        scopes=sorted(set(scopes)),
        created=now,
        expires=expires,
        user_id=user.id if user else None,
    )
    tx.change(insert(manage_tokens).values(msgspec.structs.asdict(token)))
    _record(tx, "token.created", token.id, description=description, scopes=token.scopes, user=token.user_id)
    return token, f"manage-{token.id}-{secret}"


def _check_seconds(seconds: int) -> int:
    if not 0 < seconds <= MAX_LIFETIME:
        raise Invalid(f"A manage token expires in 1 to {MAX_LIFETIME} seconds, or never; {seconds} is neither.")
    return seconds


def find_manage_token(tx: Transaction, token_id: int) -> ManageToken | None:
    return tx.one(_FIND, ManageToken, token_id=token_id)


def get_manage_token(tx: Transaction, token_id: int) -> ManageToken:
    found = find_manage_token(tx, token_id)
    if not found:
        raise InvalidManageToken
    return found


def list_manage_tokens(tx: Transaction) -> list[ManageToken]:
    return tx.all(select(manage_tokens).order_by(manage_tokens.c.id), into=ManageToken)


def revoke_manage_token(tx: Transaction, token_id: int) -> None:
    """Revoke it: it stops working with the commit, in every process."""
    ids.count_change(tx, CALLERS)
    if not tx.change(delete(manage_tokens).where(manage_tokens.c.id == token_id)):
        raise NotFound(f"There is no manage token {token_id}.")
    _record(tx, "token.deleted", token_id)


def remove_manage_tokens(tx: Transaction, user_id: int) -> None:
    """Remove the manage tokens of a user."""
    ids.count_change(tx, CALLERS)
    tx.change(delete(manage_tokens).where(manage_tokens.c.user_id == user_id))


def _record(tx: Transaction, event: str, token_id: int, **details: object) -> None:
    """Record an event of the operator: no route changes manage tokens."""
    target = f"manage token {token_id}"
    audit.record(tx, audit.NewEntry(event=event, project_id=0, target=target, details=details))


def authenticate_program(stack: Stack, text: str) -> SignedIn:
    """Return who has this manage token; its scopes are its rights."""
    match = _TOKEN.fullmatch(text.strip())
    if not match:
        raise InvalidManageToken
    with stack.database.reading() as tx:
        token = get_manage_token(tx, int(match[1]))
        user = find_user(tx, token.user_id) if token.user_id else None
    if not hmac.compare_digest(token.secret_hash, ids.hash_secret(match[2])) or token.is_expired:
        raise InvalidManageToken
    if token.user_id and not user:
        raise InvalidManageToken
    note_use(stack, manage_tokens, token.id)
    return _to_caller(token, user)


def _to_caller(token: ManageToken, user: User | None) -> SignedIn:
    scopes = frozenset(token.scopes)
    return SignedIn(
        scheme=MANAGE_TOKEN,
        project_id=0,
        token_id=token.id,
        description=user.email if user else token.description,
        expires=token.expires,
        subject=f"manage token {token.id}",
        rights=rights_of(user) if user else frozenset((Right.SUPER, *OF_OBJECTS) if SUPER_SCOPE in scopes else ()),
        scopes=frozenset() if user else scopes,
        user_id=user.id if user else 0,
    )


def rights_of(user: User) -> frozenset[AnyRight]:
    """Which objects it has those of objects for is looked up for each request (operations/standing.py)."""
    return frozenset({Right.USER, *OF_OBJECTS, *((Right.SUPER,) if user.is_super_admin else ())})
