"""Tokens: authentication, and the management of tokens."""

from __future__ import annotations

import hmac
import re
from datetime import datetime, timedelta

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import ADMIN, Caller, Identity, Right
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.storage.errors.tokens import (
    InvalidToken,
    LivesLonger,
    NotAMember,
    NotYours,
    ProjectClosed,
    TokenExpired,
    TokenNotFound,
)
from penstock.services.storage.models.tokens import HeldToken, NewToken, TokenChange, TokenRow
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.grants import POWERS, grant, has_all_of
from penstock.services.storage.operations.permissions import may_purge_trash, may_read_all_files
from penstock.services.storage.store import tokens

_TOKEN = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})-([0-9a-f]{60})")


class IssuedToken(msgspec.Struct, frozen=True):
    """A token with its secret, which is returned once and not stored."""

    row: TokenRow
    text: str


def authenticate(stack: Stack, text: str) -> Caller:
    """The caller that holds this token. A token of another stack is unknown here."""
    match = _TOKEN.fullmatch(text.strip())
    if not match:
        raise InvalidToken
    with stack.database.reading() as tx:
        token = _get_held(tx, int(match[1]), int(match[2]))
    if not hmac.compare_digest(token.secret_hash, ids.hash_secret(match[3])):
        raise InvalidToken
    caller = _to_caller(token)
    if token.user_id is not None:
        with stack.database.reading() as tx:
            management.require_second_factor(tx, token.project_id, token.user_id)
    return caller


def get_caller(tx: Transaction, project_id: int, token_id: int) -> Caller:
    """The caller that a token identifies now, for work that continues after its request."""
    return _to_caller(_get_held(tx, project_id, token_id))


def _to_caller(token: HeldToken) -> Caller:
    check_valid(token)
    return msgspec.structs.replace(
        to_caller(token, token.main_branch_id),
        has_storage_branches=management.STORAGE_BRANCHES in token.features,
        is_pay_as_you_go=management.PAY_AS_YOU_GO in token.features,
        role=token.role or ADMIN,
        user_id=token.user_id or 0,
        expires=token.ends,
    )


def check_valid(token: HeldToken) -> None:
    """Raises if it has expired, or if its user or its project may not be used."""
    if is_expired(token):
        raise TokenExpired
    if token.user_id is not None and (not token.role or has_passed(token.member_until)):
        raise NotAMember
    if problem := token.state.problem:
        raise ProjectClosed(problem)


def to_caller(token: TokenRow, branch_id: int) -> Caller:
    return Caller(
        project_id=token.project_id,
        branch_id=branch_id,
        main_branch_id=branch_id,
        token_id=token.id,
        description=token.description,
        is_master=token.is_master,
        can_manage_buckets=token.can_manage_buckets,
        can_manage_tokens=token.can_manage_tokens,
        can_create_jobs=token.can_create_jobs,
        can_read_all_files=token.can_read_all_files,
        can_purge_trash=token.can_purge_trash,
        bucket_permissions=token.bucket_permissions,
        component_access=tuple(token.component_access),
        expires=token.expires,
    )


def is_expired(token: TokenRow) -> bool:
    return has_passed(token.expires)


def has_passed(moment: datetime | None) -> bool:
    return moment is not None and moment <= clock.now()


def create_master_token(tx: Transaction, project_id: int, description: str, user_id: int | None = None) -> IssuedToken:
    """Of a program, or of a member of the project, whose role limits it."""
    blank = _blank(tx, project_id, description)
    issued = _issue(tx, msgspec.structs.replace(blank, user_id=user_id, **dict.fromkeys(POWERS, True)))
    target, details = f"token {issued.row.id}", _describe(issued.row)
    audit.record(tx, audit.NewEntry(event="token.created", project_id=project_id, target=target, details=details))
    return issued


def create_managed_token(
    tx: Transaction,
    manager: Identity,
    caller: Caller,
    wanted: NewToken,
    *,
    can_manage_tokens: bool,
    user_id: int | None,
) -> IssuedToken:
    """A token that the Manage API creates in a project, perhaps for a member; `caller` may do everything there."""
    expires = clock.now() + timedelta(seconds=wanted.expires_in) if wanted.expires_in else None
    row = msgspec.structs.replace(
        _blank(tx, caller.project_id, wanted.description),
        expires=expires,
        can_manage_tokens=can_manage_tokens,
        user_id=user_id,
        **grant(tx, caller, wanted),
    )
    issued = _issue(tx, row)
    entry = audit.NewEntry.of(manager, "token.created", f"token {issued.row.id}", **_describe(issued.row))
    audit.record(tx, msgspec.structs.replace(entry, project_id=caller.project_id))
    return issued


def create_token(tx: Transaction, caller: Caller, wanted: NewToken) -> IssuedToken:
    """Create a token with at most its creator's permissions. A caller that cannot manage tokens sets only a description
    and an expiration."""
    blank = _blank(tx, caller.project_id, wanted.description or f"Created by {caller.description}")
    given: dict[str, object] = {
        "expires": _expiry(tx, caller, wanted.expires_in),
        "creator_id": caller.token_id,
        "creator_description": caller.description,
    }
    if caller.has(Right.MANAGE_TOKENS):
        given |= grant(tx, caller, wanted)
    issued = _issue(tx, msgspec.structs.replace(blank, **given))
    _add_event(tx, caller, issued.row, "storage.tokenCreated", "Created")
    return issued


def create_run_token(tx: Transaction, caller: Caller, description: str, seconds: int | None) -> IssuedToken:
    """A token for what runs on behalf of the caller: the same permissions, but it cannot manage tokens. Without
    `seconds` it expires with the caller's."""
    row = msgspec.structs.replace(
        _blank(tx, caller.project_id, description),
        can_manage_buckets=caller.sees_all_buckets,
        can_create_jobs=caller.is_master or caller.can_create_jobs,
        can_read_all_files=may_read_all_files(caller),
        can_purge_trash=may_purge_trash(caller),
        bucket_permissions=dict(caller.bucket_permissions),
        component_access=list(caller.component_access),
        expires=_expiry(tx, caller, seconds),
        creator_id=caller.token_id,
        creator_description=caller.description,
    )
    issued = _issue(tx, row)
    _add_event(tx, caller, issued.row, "storage.tokenCreated", "Created")
    return issued


def remove_run_token(tx: Transaction, caller: Caller, token_id: int) -> None:
    """A token that was already revoked is not an error."""
    if token := tokens.find_token(tx, caller.project_id, token_id):
        tokens.remove_token(tx, caller.project_id, token_id)
        _add_event(tx, caller, token, "storage.tokenDeleted", "Deleted")


def update_token(tx: Transaction, caller: Caller, token_id: str, wanted: TokenChange) -> TokenRow:
    """Update the given fields. For a master token only the description: it always has all permissions."""
    token = get_token(tx, caller, token_id)
    if token.is_master and not caller.is_master:
        raise NotYours
    given: dict[str, object] = {}
    if wanted.description:
        given["description"] = wanted.description
    if not token.is_master:
        given |= grant(tx, caller, wanted)
        if wanted.expires_in:
            given["expires"] = _expiry(tx, caller, wanted.expires_in)
    changed = msgspec.structs.replace(token, **given)
    tokens.change_token(tx, changed)
    _add_event(tx, caller, changed, "storage.tokenUpdated", "Updated")
    return changed


def refresh_token(tx: Transaction, caller: Caller, token_id: str, *, is_shown: bool = True) -> IssuedToken:
    """Create a new secret; the old one is invalid at once. Any token may refresh itself. `is_shown`: to the caller.

    Refreshing another token reveals its secret, so the caller must have all of its permissions.
    """
    token = get_visible_token(tx, caller, token_id)
    if not may_act_as(tx, caller, token):
        raise NotYours
    if is_shown and caller.grants_until and not (token.expires and token.expires <= caller.grants_until):
        raise LivesLonger
    secret = ids.new_secret()
    renewed = msgspec.structs.replace(token, secret_hash=ids.hash_secret(secret), refreshed=clock.now())
    tokens.change_token(tx, renewed)
    _add_event(tx, caller, renewed, "storage.tokenRefreshed", "Refreshed")
    return IssuedToken(renewed, _text(renewed, secret))


def get_token(tx: Transaction, caller: Caller, token_id: str) -> TokenRow:
    number = ids.read_id(token_id)
    token = tokens.find_token(tx, caller.project_id, number) if number is not None else None
    if not token:
        raise TokenNotFound(token_id)
    return token


def get_visible_token(tx: Transaction, caller: Caller, token_id: str) -> TokenRow:
    """A token that the caller may see: its own, or any if it may manage tokens."""
    if token_id != str(caller.token_id) and not caller.has(Right.MANAGE_TOKENS):
        raise NotYours
    return get_token(tx, caller, token_id)


def may_act_as(tx: Transaction, caller: Caller, token: TokenRow) -> bool:
    """Whether the caller gains no permissions by this token: it is its own, or has no more permissions."""
    return token.id == caller.token_id or has_all_of(caller, token, _end_of(tx, caller))


def list_tokens(tx: Transaction, caller: Caller) -> list[TokenRow]:
    return tokens.list_tokens(tx, caller.project_id)


def revoke_token(tx: Transaction, caller: Caller, token_id: str) -> None:
    """Effective at once in all processes."""
    token = get_token(tx, caller, token_id)
    if token.is_master and not caller.is_master:
        raise NotYours
    tokens.remove_token(tx, caller.project_id, token.id)
    _add_event(tx, caller, token, "storage.tokenDeleted", "Deleted")


def forget_bucket(tx: Transaction, project_id: int, bucket_id: str) -> None:
    """Remove permissions for a deleted bucket: a new one with its name must not inherit them."""
    for token in tokens.list_tokens(tx, project_id):
        if bucket_id in token.bucket_permissions:
            rest = {name: may for name, may in token.bucket_permissions.items() if name != bucket_id}
            tokens.change_token(tx, msgspec.structs.replace(token, bucket_permissions=rest))


def _get_held(tx: Transaction, project_id: int, token_id: int) -> HeldToken:
    token = tokens.find_held_token(tx, project_id, token_id)
    if not token:
        raise InvalidToken
    return token


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


def _issue(tx: Transaction, token: TokenRow) -> IssuedToken:
    secret = ids.new_secret()
    row = msgspec.structs.replace(token, secret_hash=ids.hash_secret(secret))
    tokens.add_token(tx, row)
    return IssuedToken(row, _text(row, secret))


def _text(token: TokenRow, secret: str) -> str:
    return f"{token.project_id}-{token.id}-{secret}"


def _add_event(tx: Transaction, caller: Caller, token: TokenRow, event: str, what: str) -> None:
    message = f'{what} token "{token.description}" (id {token.id})'
    add_event(tx, caller, event, message, object_id=str(token.id), object_type="token")
    entry = audit.NewEntry.of(caller, f"token.{what.lower()}", f"token {token.id}", **_describe(token))
    audit.record(tx, entry)


def _describe(token: TokenRow) -> dict[str, object]:
    """What the token may do, for the audit log."""
    return {
        "description": token.description,
        "powers": [power for power in POWERS if getattr(token, power)],
        "buckets": token.bucket_permissions,
        "components": token.component_access,
        "expires": token.expires.isoformat() if token.expires else None,
    }


def _expiry(tx: Transaction, caller: Caller, seconds: int | None) -> datetime | None:
    """The expiration: no later than the creator's."""
    asked = clock.now() + timedelta(seconds=seconds) if seconds else None
    ends = [moment for moment in (asked, _end_of(tx, caller)) if moment]
    return min(ends) if ends else None


def _end_of(tx: Transaction, caller: Caller) -> datetime | None:
    """When the token of the caller expires, or its membership, or the personal access token that was sent."""
    ends = [get_token(tx, caller, str(caller.token_id)).expires, caller.grants_until]
    if caller.user_id and (member := management.find_member(tx, "project", caller.project_id, caller.user_id)):
        ends.append(member.expires)
    return min((each for each in ends if each), default=None)
