"""Invitations to a vendor by e-mail, and requests of users to join one."""

from __future__ import annotations

import hmac
from datetime import timedelta

from penstock.foundation import clock, events, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import InvitationNotFound, NameNeeded, NoMail, UsersOnly
from penstock.services.developer.models.accounts import Account, MemberRow, VendorUser
from penstock.services.developer.models.people import (
    INVITATION_SEALED_FOR,
    Acceptance,
    InvitationRow,
    JoinRequestRow,
    VendorInvitationCreated,
)
from penstock.services.developer.operations.accounts import check_member, record
from penstock.services.developer.operations.apps import get_vendor
from penstock.services.developer.store import members, people
from penstock.services.login import interface as login
from penstock.services.management import interface as management
from penstock.services.management.interface import User

LIFETIME = timedelta(days=7)


def invite(stack: Stack, by: Account, visitor: Identity, vendor_id: str, email: str) -> None:
    """An e-mail with a link. An older invitation of the address stops working."""
    with stack.database.reading() as tx:
        vendor = get_vendor(tx, vendor_id)
    check_member(by, vendor.id)
    address = management.check_email(email)
    if not stack.settings.smtp_host:
        raise NoMail(vendor.id)
    login.begin_invitation(stack, visitor, address)
    code, now = ids.new_secret(), clock.now()
    row = InvitationRow(
        vendor_id=vendor.id,
        email=address,
        code_hash=ids.hash_secret(code),
        created=now,
        expires=now + LIFETIME,
        created_by=by.username,
    )
    with stack.database.writing(0) as tx:
        people.put_invitation(tx, row)
        event = VendorInvitationCreated(
            project_id=0,
            email=address,
            invitor=by.name,
            vendor_id=vendor.id,
            vendor_name=vendor.name,
            days=LIFETIME.days,
            sealed_code=stack.cipher.seal(code.encode(), INVITATION_SEALED_FOR).hex(),
        )
        events.publish(tx, event)
        record(tx, by, "developer.userInvited", f"user {address}", vendor=vendor.id)


def find_valid(tx: Transaction, vendor_id: str, email: str, code: str) -> InvitationRow:
    """Raises InvitationNotFound if the link does not work any more."""
    row = people.find_invitation(tx, vendor_id, email.strip().lower())
    is_right = row is not None and hmac.compare_digest(row.code_hash, ids.hash_secret(code))
    if not row or not is_right or row.expires <= clock.now():
        raise InvitationNotFound
    return row


def accept(
    stack: Stack, visitor: Identity, vendor_id: str, email: str, code: str, acceptance: Acceptance
) -> InvitationRow:
    """The owner of the address joins the vendor. Who is not a user of the stack yet becomes one, with a password."""
    with stack.database.reading() as tx:
        row = find_valid(tx, vendor_id, email, code)
        user = management.find_user_by_email(tx, row.email)
    if not user and not acceptance.password:
        raise NameNeeded
    hashed = "" if user else login.hash_new_password(acceptance.password, row.email)
    with stack.database.writing(0) as tx:
        find_valid(tx, vendor_id, email, code)
        user = user or login.create_user(tx, visitor, row.email, acceptance.name, hashed)
        if not user:
            raise InvitationNotFound
        people.remove_invitation(tx, row.vendor_id, row.email)
        join(tx, row.vendor_id, user, row.created_by)
    return row


def join(tx: Transaction, vendor_id: str, user: User, by: str) -> bool:
    """Whether the user did not belong to the vendor before."""
    people.remove_join_request(tx, vendor_id, user.id)
    if members.find_member(tx, vendor_id, user.id):
        return False
    members.add_member(tx, MemberRow(vendor_id=vendor_id, user_id=user.id, created=clock.now(), created_by=by))
    return True


def request_to_join(tx: Transaction, by: Account, vendor_id: str) -> None:
    """Nothing changes for one who has asked before, or belongs to the vendor."""
    vendor = get_vendor(tx, vendor_id)
    if not by.user_id:
        raise UsersOnly
    if not members.find_member(tx, vendor.id, by.user_id) and not people.find_join_request(tx, vendor.id, by.user_id):
        people.add_join_request(tx, JoinRequestRow(vendor_id=vendor.id, user_id=by.user_id, created=clock.now()))
        record(tx, by, "developer.joinRequested", f"user {by.user_id}", vendor=vendor.id)


def list_requests(tx: Transaction, by: Account, vendor_id: str) -> list[VendorUser]:
    check_member(by, get_vendor(tx, vendor_id).id)
    rows = people.list_join_requests(tx, vendor_id)
    return [
        VendorUser(username=user.email, email=user.email, name=user.name, created_on=row.created)
        for row in rows
        if (user := management.find_user(tx, row.user_id))
    ]
