"""The tokens of a project: changed, refreshed and revoked."""

from __future__ import annotations

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller, Right
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.tokens import LivesLonger, NotYours, TokenNotFound
from penstock.services.storage.models.tokens import TokenChange, TokenRow
from penstock.services.storage.operations.grants import grant, has_all_of
from penstock.services.storage.operations.issuing import IssuedToken, end_of, find_end, record_change, write_text
from penstock.services.storage.store import tokens


def update_token(tx: Transaction, caller: Caller, token_id: str, change: TokenChange) -> TokenRow:
    """Update the given fields. For a master token only the description: it always has all permissions."""
    token = get_token(tx, caller, token_id)
    if token.is_master and not caller.is_master:
        raise NotYours
    given: dict[str, object] = {}
    if change.description:
        given["description"] = change.description
    if not token.is_master:
        given |= grant(tx, caller, change)
        if change.expires_in:
            given["expires"] = find_end(tx, caller, change.expires_in)
    changed = msgspec.structs.replace(token, **given)
    tokens.change_token(tx, changed)
    record_change(tx, caller, changed, "storage.tokenUpdated", "Updated")
    return changed


def refresh_token(tx: Transaction, caller: Caller, token_id: str, *, is_shown: bool = True) -> IssuedToken:
    """Create a new secret; the old one is invalid at once, and so are those that were sent by e-mail. Any token may
    refresh itself. `is_shown`: to the caller.

    Refreshing another token reveals its secret, so the caller must have all of its permissions.
    """
    token = get_visible_token(tx, caller, token_id)
    check_may_reveal(tx, caller, token, is_shown=is_shown)
    secret = ids.new_secret()
    renewed = msgspec.structs.replace(
        token, secret_hash=ids.hash_secret(secret), shared_hashes=[], refreshed=clock.now()
    )
    tokens.change_token(tx, renewed)
    record_change(tx, caller, renewed, "storage.tokenRefreshed", "Refreshed")
    return IssuedToken(renewed, write_text(renewed, secret))


def check_may_reveal(tx: Transaction, caller: Caller, token: TokenRow, *, is_shown: bool = True) -> None:
    """Raise unless whoever gets its secret may do, and for as long, what the caller may."""
    if not may_act_as(tx, caller, token):
        raise NotYours
    if is_shown and caller.grants_until and not (token.expires and token.expires <= caller.grants_until):
        raise LivesLonger


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
    return token.id == caller.token_id or has_all_of(caller, token, end_of(tx, caller))


def list_tokens(tx: Transaction, caller: Caller) -> list[TokenRow]:
    return tokens.list_tokens(tx, caller.project_id)


def revoke_token(tx: Transaction, caller: Caller, token_id: str) -> None:
    """Effective at once in all processes."""
    token = get_token(tx, caller, token_id)
    if token.is_master and not caller.is_master:
        raise NotYours
    tokens.remove_token(tx, caller.project_id, token.id)
    record_change(tx, caller, token, "storage.tokenDeleted", "Deleted")


def forget_bucket(tx: Transaction, project_id: int, bucket_id: str) -> None:
    """Remove permissions for a deleted bucket: a new one with its name must not inherit them."""
    for token in tokens.list_tokens(tx, project_id):
        if bucket_id in token.bucket_permissions:
            rest = {name: may for name, may in token.bucket_permissions.items() if name != bucket_id}
            tokens.change_token(tx, msgspec.structs.replace(token, bucket_permissions=rest))
