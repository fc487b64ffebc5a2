"""Users of the stack at the developer portal: they sign in as everywhere, and belong to vendors.

A super administrator of the stack is an administrator of the portal.
"""

from __future__ import annotations

from functools import partial

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS, Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import NotAMember, NotAsked, UserNotFound
from penstock.services.developer.models.accounts import Account, CodeRequired, Credentials, MemberRow, Token, VendorUser
from penstock.services.developer.operations.accounts import check_member, record
from penstock.services.developer.operations.apps import get_vendor
from penstock.services.developer.operations.invitations import join
from penstock.services.developer.operations.logins import create_login
from penstock.services.developer.operations.signed_in import to_account
from penstock.services.developer.store import members
from penstock.services.developer.store.people import find_join_request, remove_join_request
from penstock.services.login import interface as login
from penstock.services.login.interface import MfaRequired
from penstock.services.management import interface as management
from penstock.services.management.interface import User

SIGN_IN = "developer portal"


def log_in(stack: Stack, visitor: Identity, credentials: Credentials) -> Token | CodeRequired:
    """Sign in with a password or, for the second step, with a code. Failed attempts are counted with those of
    Management."""
    finish = partial(_create_login, stack)
    if credentials.session:
        return login.sign_in_with_code(stack, visitor, credentials.session, credentials.code, finish)
    outcome = login.sign_in(stack, visitor, credentials.email, credentials.password, finish)
    return CodeRequired(outcome.mfa_token) if isinstance(outcome, MfaRequired) else outcome


def _create_login(stack: Stack, tx: Transaction, user: User) -> Token:
    sign_in_id = login.begin_sign_in(tx, user, SIGN_IN)
    return create_login(tx, stack.cipher, to_account(tx, user), sign_in_id)


def list_users(tx: Transaction, by: Account, vendor_id: str) -> list[VendorUser]:
    check_member(by, get_vendor(tx, vendor_id).id)
    rows = members.list_members(tx, vendor_id)
    return [_view(user, row) for row in rows if (user := management.find_user(tx, row.user_id))]


def _view(user: User, row: MemberRow) -> VendorUser:
    return VendorUser(username=user.email, email=user.email, name=user.name, created_on=row.created)


def add_user(tx: Transaction, by: Account, vendor_id: str, username: str) -> None:
    """Nothing changes for one who belongs to the vendor already."""
    user = _get_user(tx, by, vendor_id, username)
    if join(tx, vendor_id, user, by.username):
        record(tx, by, "developer.userAdded", f"user {user.id}", vendor=vendor_id)


def remove_user(tx: Transaction, by: Account, vendor_id: str, username: str) -> None:
    """Remove a user, who stops seeing and changing the apps of the vendor with the commit. A request to join is
    declined in the same way."""
    user = _get_user(tx, by, vendor_id, username)
    ids.count_change(tx, CALLERS)
    has_asked = remove_join_request(tx, vendor_id, user.id)
    if not members.remove_member(tx, vendor_id, user.id) and not has_asked:
        raise NotAMember(username, vendor_id)
    record(tx, by, "developer.userRemoved", f"user {user.id}", vendor=vendor_id)


def _get_user(tx: Transaction, by: Account, vendor_id: str, username: str) -> User:
    """The user. Everybody may create a vendor: one that waits does not tell who else is a user of the stack."""
    vendor = get_vendor(tx, vendor_id)
    check_member(by, vendor.id)
    user = management.find_user_by_email(tx, username)
    if not by.is_admin and not vendor.is_approved:
        is_known = user and (members.find_member(tx, vendor.id, user.id) or find_join_request(tx, vendor.id, user.id))
        if not is_known:
            raise NotAsked(username, vendor.id)
    if not user:
        raise UserNotFound(username)
    return user
