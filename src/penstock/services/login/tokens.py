"""Tokens of people: what they get for signing in, and whom a token identifies.

An access token works for an hour. Its refresh token gets the next pair and is replaced by it; one that comes again
later was copied, so everything that came of that sign-in is revoked. The secrets of the next pair are derived from the
refresh token and the key of the stack: one that comes again at once, since the response was lost, gets the same pair.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from datetime import timedelta

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.errors import (
    ExpiredToken,
    GrantError,
    InvalidToken,
    TokenOfClient,
    invalid_grant,
)
from penstock.services.login.models import Signed, TokenPair
from penstock.services.login.store import tokens as store
from penstock.services.login.store.tokens import Kind, Token
from penstock.services.management.interface import User, find_user, note_use
from penstock.web.auth.person import PERSON

ACCESS, REFRESH, SESSION = timedelta(hours=1), timedelta(days=30), timedelta(hours=12)
GRACE = timedelta(seconds=30)
"""For which a refresh token still works after its first use: the response may have been lost."""
OF_SIGN_INS: tuple[Kind, ...] = ("access", "refresh", "session")
OF_PAIRS: tuple[Kind, Kind] = ("access", "refresh")
SECRET_CHARACTERS = 60
_KEY_WORDS = ("management", "refresh tokens")
_PREFIXES: dict[Kind, str] = {
    "personal": "kbc_pat_",
    "access": "kbc_at_",
    "refresh": "kbc_rt_",
    "session": "kbc_st_",
}
_KINDS = {prefix: kind for kind, prefix in _PREFIXES.items()}
_TOKEN = re.compile(r"(kbc_[a-z]{2,3}_)([1-9][0-9]{0,17})_([0-9a-f]{60})")


def make_token(tx: Transaction, kind: Kind, user_id: int, lifetime: timedelta | None, **fields: object) -> str:
    """Create a token; return its text, which is returned once."""
    return make_with_row(tx, kind, user_id, lifetime, **fields)[1]


def make_with_row(
    tx: Transaction, kind: Kind, user_id: int, lifetime: timedelta | None, **fields: object
) -> tuple[Token, str]:
    number, now = ids.new_id(tx), clock.now()
    secret = str(fields.pop("secret", "") or ids.new_secret())
    usual: dict[str, object] = {"family_id": number, "description": "", "created": now}
    usual |= {"expires": now + lifetime if lifetime else None, "secret_hash": ids.hash_secret(secret)}
    token = Token(**{**usual, **fields, "id": number, "kind": kind, "user_id": user_id})  # pyright: ignore[reportArgumentType]
    store.add_token(tx, token)
    return token, f"{_PREFIXES[kind]}{number}_{secret}"


class Pair(msgspec.Struct, frozen=True):
    """The texts of two tokens, and what is the same of both."""

    access: str
    refresh: str
    family_id: int


def make_pair(tx: Transaction, user_id: int, **fields: object) -> Pair:
    """Create two tokens; without a `family_id` they begin a family."""
    return _make_pair(tx, user_id, ("", ""), fields)


def _make_pair(tx: Transaction, user_id: int, secrets: tuple[str, str], fields: Mapping[str, object]) -> Pair:
    """Create two tokens; their secrets are new ones where they are empty."""
    family = int(str(fields.get("family_id") or ids.new_id(tx)))
    known = {**fields, "family_id": family}
    access = make_token(tx, "access", user_id, ACCESS, **known, secret=secrets[0])
    return Pair(access, make_token(tx, "refresh", user_id, REFRESH, **known, secret=secrets[1]), family)


def _derive_secrets(key: bytes, text: str) -> tuple[str, str]:
    """Derive the secrets of the pair that a refresh token gets. The token alone, or the key alone, is not enough."""
    access, refresh = (hmac.digest(key, f"{kind} {text.strip()}".encode(), "sha256").hex() for kind in OF_PAIRS)
    return access[:SECRET_CHARACTERS], refresh[:SECRET_CHARACTERS]


def _find_next_pair(tx: Transaction, stack: Stack, token: Token, text: str) -> Pair | None:
    """The pair that this refresh token has got before."""
    family = store.list_family(tx, token.user_id, token.family_id)
    known = {(each.kind, each.secret_hash): each.id for each in family}
    for key in stack.cipher.derive_keys(*_KEY_WORDS):
        secrets = _derive_secrets(key, text)
        numbers = [known.get((kind, ids.hash_secret(each))) for kind, each in zip(OF_PAIRS, secrets, strict=True)]
        if all(numbers):
            access, refresh = (
                f"{_PREFIXES[kind]}{number}_{each}"
                for kind, number, each in zip(OF_PAIRS, numbers, secrets, strict=True)
            )
            return Pair(access, refresh, token.family_id)
    return None


def issue_pair(tx: Transaction, user: User, description: str) -> TokenPair:
    """Tokens for a program, which begin a family."""
    return _to_token_pair(make_pair(tx, user.id, description=description), user)


def refresh_pair(stack: Stack, visitor: Identity, text: str) -> TokenPair:
    """The next pair of a sign-in. Registered programs name themselves, and get theirs elsewhere."""
    _, user, pair = exchange_refresh_token(stack, visitor, text, lambda _tx, token, _user: not token.client_id)
    return _to_token_pair(pair, user)


def _to_token_pair(pair: Pair, user: User) -> TokenPair:
    return TokenPair(
        access_token=pair.access,
        refresh_token=pair.refresh,
        expires_in=int(ACCESS.total_seconds()),
        session_id=str(pair.family_id),
        user=Signed(user.id, user.email, user.name),
    )


def exchange_refresh_token(
    stack: Stack, visitor: Identity, text: str, is_allowed: Callable[[Transaction, Token, User], bool]
) -> tuple[Token, User, Pair]:
    """The next pair, with the same limits. The family of a token that was used before is revoked, which is committed
    before the error. One that is not allowed counts as unknown; `is_allowed` may raise another error."""
    with stack.database.writing(0) as tx:
        token = find_token(tx, text, ("refresh",))
        user = find_user(tx, token.user_id) if token else None
        if token and user and not is_allowed(tx, token, user):
            token = None
        is_stale = token is not None and token.used is not None and token.used + GRACE <= clock.now()
        if token and is_stale:
            store.remove_family(tx, token.user_id, token.family_id)
            entry = audit.NewEntry.of(visitor, "login.tokenReused", f"user {token.user_id}", session=token.family_id)
            audit.record(tx, entry)
        elif token and user and not token.is_expired:
            if token.used is None:
                store.mark_used(tx, token)
                secrets = _derive_secrets(stack.cipher.derive_keys(*_KEY_WORDS)[0], text)
                return token, user, _make_pair(tx, user.id, secrets, _find_limits(token))
            if pair := _find_next_pair(tx, stack, token, text):
                return token, user, pair
    raise _explain_refused(token, is_stale)


def _find_limits(token: Token) -> dict[str, object]:
    """What the next tokens of a family have of the one before."""
    names = ("family_id", "description", "project_ids", "only_reads", "client_id", "resource")
    return {name: getattr(token, name) for name in names}


def _explain_refused(token: Token | None, is_stale: bool) -> GrantError:
    if is_stale:
        return invalid_grant(
            "This refresh token was used before, so that somebody else may have it: everything that came of this "
            "sign-in is revoked. Sign in again."
        )
    problem = "has expired" if token and token.is_expired else "is unknown here, or was revoked"
    return invalid_grant(f"The refresh token {problem}. Sign in again.")


def revoke(tx: Transaction, visitor: Identity, text: str) -> None:
    """Revoke a token with everything that came of the same sign-in. An unknown token is not an error (RFC 7009)."""
    if token := find_token(tx, text, ("personal", *OF_SIGN_INS)):
        revoke_family(tx, visitor, token.user_id, token.family_id)


def revoke_family(tx: Transaction, visitor: Identity, user_id: int, family_id: int) -> bool:
    is_there = store.remove_family(tx, user_id, family_id)
    if is_there:
        audit.record(tx, audit.NewEntry.of(visitor, "login.revoked", f"user {user_id}", session=family_id))
    return is_there


def identify(tx: Transaction, text: str, kinds: tuple[Kind, ...]) -> tuple[Token, User]:
    """Raises if the token is of another kind, unknown, revoked or expired, or its user is gone."""
    token = find_token(tx, text, kinds)
    user = find_user(tx, token.user_id) if token else None
    if not token or not user:
        raise InvalidToken
    if token.is_expired:
        raise ExpiredToken
    return token, user


def find_person(stack: Stack, text: str) -> SignedIn:
    """Return who sends a token, of whichever kind."""
    return _find_caller(stack, text, ("personal", "access", "session"))


def find_signed_in(stack: Stack, text: str) -> SignedIn:
    """Return who sends a token that came of signing in: neither a personal token nor that of a registered program
    changes how its user signs in."""
    return _find_caller(stack, text, ("access", "session"), of_clients=False)


def _find_caller(stack: Stack, text: str, kinds: tuple[Kind, ...], *, of_clients: bool = True) -> SignedIn:
    with stack.database.reading() as tx:
        token, user = identify(tx, text, kinds)
    if token.client_id and not of_clients:
        raise TokenOfClient
    note_use(stack, store.tokens, token.id)
    return _to_caller(token, user)


def _to_caller(token: Token, user: User) -> SignedIn:
    return SignedIn(
        scheme=PERSON,
        project_id=0,
        token_id=token.id,
        description=user.email,
        expires=token.expires,
        subject=f"{token.kind} token {token.id}",
        user_id=user.id,
    )


def find_token(tx: Transaction, text: str, kinds: tuple[Kind, ...]) -> Token | None:
    """The row of a token, also of one that has expired; None if it is unknown or of another kind."""
    match = _TOKEN.fullmatch(text.strip())
    if not match or _KINDS.get(match[1]) not in kinds:
        return None
    token = store.find_token(tx, int(match[2]))
    is_right = token and hmac.compare_digest(token.secret_hash, ids.hash_secret(match[3]))
    return token if token and is_right and token.kind == _KINDS[match[1]] else None
