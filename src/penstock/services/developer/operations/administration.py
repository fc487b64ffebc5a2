"""What administrators see and do beside approving apps: users with their vendors, and vendors that wait."""

from __future__ import annotations

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import UserNotFound
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.people import PortalUser, SignUpRow
from penstock.services.developer.models.vendors import PageQuery, VendorRow
from penstock.services.developer.operations.accounts import record
from penstock.services.developer.operations.apps import get_vendor
from penstock.services.developer.store import members, people, vendors
from penstock.services.management import interface as management
from penstock.services.management.interface import User


def list_users(tx: Transaction, page: PageQuery) -> list[PortalUser]:
    """Users of the stack, and sign-ups that wait, by their address."""
    users = {user.email: user for user in management.list_all_users(tx)}
    waiting = {row.email: row for row in people.list_sign_ups(tx) if row.email not in users}
    shown = sorted((*users, *waiting))[page.offset : page.offset + page.limit]
    return [_view_user(tx, users[each]) if each in users else _view_sign_up(waiting[each]) for each in shown]


def get_user(tx: Transaction, email: str) -> PortalUser:
    if user := management.find_user_by_email(tx, email):
        return _view_user(tx, user)
    row = people.find_sign_up(tx, email.strip().lower())
    if not row:
        raise UserNotFound(email)
    return _view_sign_up(row)


def remove_user(tx: Transaction, by: Account, email: str) -> None:
    """Remove a user from every vendor, or a sign-up that waits. The user of the stack stays."""
    user = management.find_user_by_email(tx, email)
    if not people.remove_sign_up(tx, email.strip().lower()) and not user:
        raise UserNotFound(email)
    for vendor_id in members.list_vendors_of(tx, user.id) if user else ():
        ids.count_change(tx, CALLERS)
        members.remove_member(tx, vendor_id, user.id if user else 0)
    record(tx, by, "developer.userRemoved", f"user {email}")


def approve_vendor(tx: Transaction, by: Account, vendor_id: str) -> VendorRow:
    """Approve a vendor: from now on everyone sees it, and its apps can be published."""
    row = msgspec.structs.replace(get_vendor(tx, vendor_id), is_approved=True, is_public=True)
    vendors.change_vendor(tx, row)
    record(tx, by, "developer.vendorApproved", f"vendor {row.id}")
    return row


def _view_user(tx: Transaction, user: User) -> PortalUser:
    return PortalUser(
        username=user.email,
        email=user.email,
        name=user.name,
        vendors=members.list_vendors_of(tx, user.id),
        is_admin=user.is_super_admin,
        is_confirmed=True,
        created_on=user.created,
    )


def _view_sign_up(row: SignUpRow) -> PortalUser:
    return PortalUser(
        username=row.email,
        email=row.email,
        name=row.name,
        vendors=[],
        is_admin=False,
        is_confirmed=False,
        created_on=row.created,
    )
