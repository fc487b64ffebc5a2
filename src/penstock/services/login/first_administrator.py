"""Links for the first administrator and for those who have forgotten their password, made by the operator."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.services.login.links import make_link
from penstock.services.management.interface import User, find_first_super_admin, find_user_by_email


def get_user_or_first(tx: Transaction, email: str | None) -> User:
    """A user by e-mail; without one, the first administrator."""
    user = find_user_by_email(tx, email) if email else find_first_super_admin(tx)
    if not user:
        raise NotFound(f"There is no user {email}." if email else "The stack has no administrator yet: start it first.")
    return user


def make_link_of(tx: Transaction, email: str | None) -> tuple[User, str]:
    """The user, and the path of a link for it."""
    user = get_user_or_first(tx, email)
    return user, make_link(tx, user.id)
