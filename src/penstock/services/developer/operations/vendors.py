"""Vendors."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import AdminsOnly, IdTaken, UsersOnly, VendorNotFound, VendorWaits
from penstock.services.developer.models.accounts import Account, MemberRow
from penstock.services.developer.models.vendors import NewVendor, VendorChange, VendorRow
from penstock.services.developer.operations.accounts import check_member, record
from penstock.services.developer.operations.apps import get_vendor
from penstock.services.developer.store import members, vendors

OF_ADMINISTRATORS = ("isPublic", "isApproved", "approval", "projects")


def get_public_vendor(tx: Transaction, vendor_id: str) -> VendorRow:
    found = vendors.find_vendor(tx, vendor_id)
    if not found or not found.is_public:
        raise VendorNotFound(vendor_id)
    return found


def create_vendor(tx: Transaction, account: Account, new_vendor: NewVendor) -> VendorRow:
    """One of an administrator is approved. One of a user waits for that, and the user belongs to it."""
    if vendors.find_vendor(tx, new_vendor.id):
        raise IdTaken("vendor", new_vendor.id)
    if not account.is_admin:
        _check_founder(tx, account)
    row = VendorRow(
        id=new_vendor.id,
        name=new_vendor.name,
        address=new_vendor.address,
        email=new_vendor.email,
        is_public=account.is_admin,
        is_approved=account.is_admin,
        created=clock.now(),
        created_by=account.username,
    )
    vendors.add_vendor(tx, row)
    if account.user_id and not account.is_admin:
        member = MemberRow(vendor_id=row.id, user_id=account.user_id, created=row.created, created_by=account.username)
        members.add_member(tx, member)
    record(tx, account, "developer.vendorCreated", f"vendor {row.id}")
    return row


def _check_founder(tx: Transaction, account: Account) -> None:
    """One vendor that waits is enough for a user: ids are everybody's."""
    if not account.user_id:
        raise UsersOnly
    for vendor_id in account.vendors:
        vendor = vendors.find_vendor(tx, vendor_id)
        if vendor and not vendor.is_approved and vendor.created_by == account.username:
            raise VendorWaits(vendor_id)


def change_vendor(tx: Transaction, account: Account, vendor_id: str, change: VendorChange) -> VendorRow:
    row = get_vendor(tx, vendor_id)
    check_member(account, row.id)
    named = [name for name in OF_ADMINISTRATORS if name in msgspec.to_builtins(change)]
    if named and not account.is_admin:
        raise AdminsOnly(named)
    given = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not UNSET}
    changed = msgspec.structs.replace(row, **given)
    vendors.change_vendor(tx, changed)
    if named:
        record(
            tx,
            account,
            "developer.vendorChanged",
            f"vendor {row.id}",
            **{name: value for name, value in msgspec.to_builtins(change).items() if name in named},
        )
    return changed
