"""Tokens that a member of a project has created for programs: they stay valid when the member is removed."""

from __future__ import annotations

import msgspec

from penstock.foundation import audit
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.services.storage.models.tokens import TokenRow
from penstock.services.storage.store import tokens


def list_made(tx: Transaction, project_id: int, user_id: int) -> list[TokenRow]:
    """List the tokens that the user has created with any token, and those created with them. A token that belongs to a
    member is not listed: it ends with the membership."""
    rows = tokens.list_tokens(tx, project_id)
    known = {row.id for row in rows if user_id in (row.user_id, row.creator_user_id)}
    for row in rows:  # in the order of their ids, so that a creator comes before what it has made
        if row.creator_id in known and row.user_id is None:
            known.add(row.id)
    return [row for row in rows if row.id in known and row.user_id is None]


def revoke_made(tx: Transaction, manager: Identity, project_id: int, rows: list[TokenRow]) -> None:
    for row in rows:
        tokens.remove_token(tx, project_id, row.id)
        details = {"description": row.description, "reason": "its creator was removed from the project"}
        entry = audit.NewEntry.of(manager, "token.deleted", f"token {row.id}", **details)
        audit.record(tx, msgspec.structs.replace(entry, project_id=project_id))
