"""Who is signed in: a service account, or a user of the stack with the vendors that it belongs to."""

from __future__ import annotations

from penstock.foundation.callers import SignedIn
from penstock.foundation.database import Transaction
from penstock.services.developer.models.accounts import Account, LoginRow
from penstock.services.developer.operations.accounts import find_account
from penstock.services.developer.store import members
from penstock.services.login.interface import find_user_of
from penstock.services.management import interface as management
from penstock.services.management.interface import User


def find_account_of(tx: Transaction, login: LoginRow) -> Account | None:
    """Return None if the account was removed, or the sign-in of the user has ended."""
    if login.sign_in_id is None:
        return find_account(tx, login.username)
    user = find_user_of(tx, login.sign_in_id)
    return to_account(tx, user) if user else None


def find_account_now(tx: Transaction, caller: SignedIn) -> Account | None:
    """Return the account with what it may do now."""
    if not caller.user_id:
        return find_account(tx, caller.subject)
    user = management.find_user(tx, caller.user_id)
    return to_account(tx, user) if user else None


def to_account(tx: Transaction, user: User) -> Account:
    return Account(
        username=user.email,
        name=user.name,
        email=user.email,
        vendors=tuple(members.list_vendors_of(tx, user.id)),
        is_admin=user.is_super_admin,
        user_id=user.id,
        has_second_factor=user.mfa_enabled,
    )
