"""New tokens: none may do more, or for longer, than whoever creates it."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Caller, Identity, Right, SignedIn
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.storage.errors.tokens import InvalidToken
from penstock.services.storage.models.tokens import NewToken, TokenRow
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.grants import POWERS, grant
from penstock.services.storage.operations.permissions import may_purge_trash, may_read_all_files
from penstock.services.storage.store import tokens


class IssuedToken(msgspec.Struct, frozen=True):
    """A token with its secret, which is returned once and not stored."""

    row: TokenRow
    text: str


def create_master_token(tx: Transaction, project_id: int, description: str, user_id: int | None = None) -> IssuedToken:
    """Create a token of a program, or of a member of the project, whose role limits it."""
    blank = _blank(tx, project_id, description)
    issued = _issue(tx, msgspec.structs.replace(blank, user_id=user_id, **dict.fromkeys(POWERS, True)))
    target, details = f"token {issued.row.id}", _describe(issued.row)
    audit.record(tx, audit.NewEntry(event="token.created", project_id=project_id, target=target, details=details))
    return issued


def create_managed_token(
    tx: Transaction,
    manager: Identity,
    caller: Caller,
    new_token: NewToken,
    *,
    can_manage_tokens: bool,
    user_id: int | None,
) -> IssuedToken:
    """A token that the Manage API creates in a project, perhaps for a member; `caller` may do everything there."""
    row = msgspec.structs.replace(
        _blank(tx, caller.project_id, new_token.description),
        expires=_first(_after(new_token.expires_in), manager.grants_until),
        can_manage_tokens=can_manage_tokens,
        user_id=user_id,
        creator_id=manager.token_id,
        creator_description=manager.description,
        creator_user_id=(manager.user_id if isinstance(manager, SignedIn) else 0) or None,
        **grant(tx, caller, new_token),
    )
    issued = _issue(tx, row)
    entry = audit.NewEntry.of(manager, "token.created", f"token {issued.row.id}", **_describe(issued.row))
    audit.record(tx, msgspec.structs.replace(entry, project_id=caller.project_id))
    return issued


def create_token(tx: Transaction, caller: Caller, new_token: NewToken) -> IssuedToken:
    """Create a token with at most its creator's permissions. A caller that cannot manage tokens sets only a description
    and an expiration."""
    blank = _blank(tx, caller.project_id, new_token.description or f"Created by {caller.description}")
    given: dict[str, object] = {
        "expires": find_end(tx, caller, new_token.expires_in),
        "creator_id": caller.token_id,
        "creator_description": caller.description,
        "creator_user_id": caller.user_id or None,
    }
    if caller.has(Right.MANAGE_TOKENS):
        given |= grant(tx, caller, new_token)
    issued = _issue(tx, msgspec.structs.replace(blank, **given))
    record_change(tx, caller, issued.row, "storage.tokenCreated", "Created")
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
        expires=find_end(tx, caller, seconds),
        creator_id=caller.token_id,
        creator_description=caller.description,
    )
    issued = _issue(tx, row)
    record_change(tx, caller, issued.row, "storage.tokenCreated", "Created")
    return issued


def remove_run_token(tx: Transaction, caller: Caller, token_id: int) -> None:
    """A token that was already revoked is not an error."""
    if token := tokens.find_token(tx, caller.project_id, token_id):
        tokens.remove_token(tx, caller.project_id, token_id)
        record_change(tx, caller, token, "storage.tokenDeleted", "Deleted")


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
    return IssuedToken(row, write_text(row, secret))


def write_text(token: TokenRow, secret: str) -> str:
    return f"{token.project_id}-{token.id}-{secret}"


def record_change(tx: Transaction, caller: Caller, token: TokenRow, event: str, what: str) -> None:
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


def find_end(tx: Transaction, caller: Caller, seconds: int | None) -> datetime | None:
    """The expiration: no later than the creator's."""
    return _first(_after(seconds), end_of(tx, caller))


def end_of(tx: Transaction, caller: Caller) -> datetime | None:
    """When the token of the caller expires, or its membership, or the personal access token that was sent."""
    own = tokens.find_token(tx, caller.project_id, caller.token_id)
    if not own:
        raise InvalidToken
    ends = [own.expires, caller.grants_until]
    if caller.user_id and (member := management.find_member(tx, "project", caller.project_id, caller.user_id)):
        ends.append(member.expires)
    return _first(*ends)


def _after(seconds: int | None) -> datetime | None:
    return clock.now() + timedelta(seconds=seconds) if seconds else None


def _first(*moments: datetime | None) -> datetime | None:
    return min((each for each in moments if each), default=None)
