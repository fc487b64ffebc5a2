"""Sign-ins of people at services that issue tokens of another kind, such as the developer portal.

Each is a sign-in like every other: its user sees it among them and can end it, and a new password ends it.
"""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.services.management.login.store import tokens as store
from penstock.services.management.login.tokens import REFRESH, make_with_row
from penstock.services.management.models.people import User
from penstock.services.management.store.users import find_user


def begin_sign_in(tx: Transaction, user: User, description: str) -> int:
    """The number of a new sign-in, which ends after 30 days. The text of its token is dropped: nobody can send it."""
    return make_with_row(tx, "refresh", user.id, REFRESH, description=description)[0].family_id


def find_user_of(tx: Transaction, sign_in_id: int) -> User | None:
    """None if the sign-in has ended, or its user was removed."""
    found = store.find_token(tx, sign_in_id)
    return find_user(tx, found.user_id) if found and found.kind == "refresh" and not found.is_expired else None


def end_sign_in(tx: Transaction, sign_in_id: int) -> None:
    if found := store.find_token(tx, sign_in_id):
        store.remove_family(tx, found.user_id, found.family_id)


def find_owner(tx: Transaction, token_id: int) -> User | None:
    """The user of a personal access token or an access token; None if it was revoked or has expired, or only opens a
    part of what the user may do."""
    found = store.find_token(tx, token_id)
    if not found or found.is_expired or found.only_reads or found.project_ids:
        return None
    return find_user(tx, found.user_id) if found.kind in ("personal", "access") else None
