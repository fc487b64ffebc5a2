"""Tokens of members of a project: each member has one, with the permissions of its role."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.management import interface as management
from penstock.services.management.interface import MemberRemoved, User
from penstock.services.storage.errors.tokens import NotAMember
from penstock.services.storage.operations.issuing import create_master_token
from penstock.services.storage.store import tokens


def ensure_token(tx: Transaction, project_id: int, user: User) -> int:
    """The id of the member's token, which is created when it is first needed. Its permissions are those of an
    administrator, within the role that the member has at the time of a request."""
    if not management.find_member(tx, "project", project_id, user.id):
        raise NotAMember
    known = tokens.find_member_token(tx, project_id, user.id)
    return known or create_master_token(tx, project_id, user.email, user.id).row.id


def remove_tokens(tx: Transaction, event: MemberRemoved) -> None:
    """Unless the user became a member again meanwhile. Until then they are refused, since they have no role."""
    if not management.find_member(tx, "project", event.project_id, event.user_id):
        tokens.remove_member_tokens(tx, event.project_id, event.user_id)


REACTIONS = [on(MemberRemoved, remove_tokens, name="storage.removeTokensOfMember")]
