"""Tokens: who they let in, and who may make them."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import timedelta

import msgspec

from penstock.components.catalogue import find_component
from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.errors import InvalidPermissions, InvalidToken, TokenExpired, TokenNotFound
from penstock.services.storage.models.tokens import NewToken, TokenRow
from penstock.services.storage.store import branches, buckets, tokens

_TOKEN = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})-([0-9a-f]{60})")
PERMISSIONS = ("read", "write")


class IssuedToken(msgspec.Struct, frozen=True):
    """A token with its secret, which is shown once and kept nowhere."""

    row: TokenRow
    text: str


def authenticate(stack: Stack, text: str) -> Caller:
    """Who holds this token. One of another stack is simply not known here."""
    match = _TOKEN.fullmatch(text.strip())
    if not match:
        raise InvalidToken
    token, branch = _read(stack, int(match[1]), int(match[2]))
    if not hmac.compare_digest(token.secret_hash, _hash(match[3])):
        raise InvalidToken
    if is_expired(token):
        raise TokenExpired
    return to_caller(token, branch.id)


def get_caller(stack: Stack, project_id: int, token_id: int) -> Caller:
    """Who a token stands for now, for work that goes on after its request."""
    token, branch = _read(stack, project_id, token_id)
    if is_expired(token):
        raise TokenExpired
    return to_caller(token, branch.id)


def to_caller(token: TokenRow, branch_id: int) -> Caller:
    return Caller(
        project_id=token.project_id,
        branch_id=branch_id,
        token_id=token.id,
        description=token.description,
        is_master=token.is_master,
        can_manage_buckets=token.can_manage_buckets,
        can_manage_tokens=token.can_manage_tokens,
        can_create_jobs=token.can_create_jobs,
        bucket_permissions=token.bucket_permissions,
        component_access=tuple(token.component_access),
    )


def is_expired(token: TokenRow) -> bool:
    return token.expires is not None and token.expires <= clock.now()


def create_master_token(tx: Transaction, project_id: int, description: str) -> IssuedToken:
    rights = ("is_master", "can_manage_buckets", "can_manage_tokens", "can_create_jobs")
    return _issue(tx, _blank(tx, project_id, description), dict.fromkeys(rights, True))


def create_token(tx: Transaction, caller: Caller, wanted: NewToken) -> IssuedToken:
    """A token that may do no more than its maker. One who may not manage tokens gives only a name and an end."""
    blank = _blank(tx, caller.project_id, wanted.description or f"Created by {caller.description}")
    maker = get_token(tx, caller, str(caller.token_id))
    given: dict[str, object] = {
        "expires": _expiry(wanted, maker),
        "creator_id": caller.token_id,
        "creator_description": caller.description,
    }
    if caller.is_master or caller.can_manage_tokens:
        _check_permissions(tx, caller, wanted)
        given |= {
            "bucket_permissions": wanted.bucket_permissions,
            "component_access": _component_ids(caller, wanted),
            "can_manage_buckets": wanted.can_manage_buckets and caller.sees_all_buckets,
            "can_create_jobs": wanted.can_create_jobs and (caller.is_master or caller.can_create_jobs),
        }
    return _issue(tx, blank, given)


def get_token(tx: Transaction, caller: Caller, token_id: str) -> TokenRow:
    number = ids.read_id(token_id)
    token = tokens.find_token(tx, caller.project_id, number) if number is not None else None
    if not token:
        raise TokenNotFound(token_id)
    return token


def list_tokens(tx: Transaction, caller: Caller) -> list[TokenRow]:
    return tokens.list_tokens(tx, caller.project_id)


def revoke_token(tx: Transaction, caller: Caller, token_id: str) -> None:
    """From this moment on nobody gets in with it, in whatever process they ask."""
    number = ids.read_id(token_id)
    if number is None or not tokens.remove_token(tx, caller.project_id, number):
        raise TokenNotFound(token_id)


def _read(stack: Stack, project_id: int, token_id: int) -> tuple[TokenRow, branches.Branch]:
    with stack.database.reading() as tx:
        token = tokens.find_token(tx, project_id, token_id)
        branch = branches.find_main_branch(tx, project_id)
    if not token or not branch:
        raise InvalidToken
    return token, branch


def _blank(tx: Transaction, project_id: int, description: str) -> TokenRow:
    now = clock.now()
    return TokenRow(
        id=ids.new_id(tx),
        project_id=project_id,
        secret_hash=b"",
        description=description,
        is_master=False,
        can_manage_buckets=False,
        can_manage_tokens=False,
        can_create_jobs=False,
        bucket_permissions={},
        component_access=[],
        created=now,
        refreshed=now,
    )


def _issue(tx: Transaction, blank: TokenRow, given: dict[str, object]) -> IssuedToken:
    secret = ids.new_secret()
    row = msgspec.structs.replace(blank, **given, secret_hash=_hash(secret))
    tokens.add_token(tx, row)
    return IssuedToken(row, f"{row.project_id}-{row.id}-{secret}")


def _check_permissions(tx: Transaction, caller: Caller, wanted: NewToken) -> None:
    for bucket_id, permission in wanted.bucket_permissions.items():
        if permission not in PERMISSIONS:
            raise InvalidPermissions(f'"{permission}" is no permission for a bucket; use {" or ".join(PERMISSIONS)}.')
        if not buckets.find_bucket(tx, caller.project_id, caller.branch_id, bucket_id):
            raise InvalidPermissions(f'There is no bucket "{bucket_id}" to give permission for.')
        if not (caller.may_write_bucket if permission == "write" else caller.may_read_bucket)(bucket_id):
            raise InvalidPermissions(f'You have no "{permission}" permission for the bucket "{bucket_id}" to give.')


def _component_ids(caller: Caller, wanted: NewToken) -> list[str]:
    found = {given: find_component(given) for given in wanted.component_access}
    for given, component in found.items():
        if not component or not caller.may_use_component(component.id):
            raise InvalidPermissions(f'There is no component "{given}" to give access to.')
    return [component.id for component in found.values() if component]


def _expiry(wanted: NewToken, maker: TokenRow) -> object:
    asked = clock.now() + timedelta(seconds=wanted.expires_in) if wanted.expires_in else None
    ends = [moment for moment in (asked, maker.expires) if moment]
    return min(ends) if ends else None


def _hash(secret: str) -> bytes:
    # A plain hash is enough: the secret has 240 random bits, so there is nothing to guess.
    return hashlib.sha256(secret.encode()).digest()
