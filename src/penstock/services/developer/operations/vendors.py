"""Vendors."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import AdminsOnly, IdTaken, VendorNotFound
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.vendors import NewVendor, VendorChange, VendorRow
from penstock.services.developer.operations.accounts import check_member, record
from penstock.services.developer.operations.apps import get_vendor
from penstock.services.developer.store import vendors


def get_public_vendor(tx: Transaction, vendor_id: str) -> VendorRow:
    found = vendors.find_vendor(tx, vendor_id)
    if not found or not found.is_public:
        raise VendorNotFound(vendor_id)
    return found


def create_vendor(tx: Transaction, account: Account, wanted: NewVendor) -> VendorRow:
    """Everybody sees it: an administrator has created it."""
    if vendors.find_vendor(tx, wanted.id):
        raise IdTaken("vendor", wanted.id)
    row = VendorRow(
        id=wanted.id,
        name=wanted.name,
        address=wanted.address,
        email=wanted.email,
        is_public=True,
        is_approved=True,
        created=clock.now(),
        created_by=account.username,
    )
    vendors.add_vendor(tx, row)
    record(tx, account, "developer.vendorCreated", f"vendor {row.id}")
    return row


def change_vendor(tx: Transaction, account: Account, vendor_id: str, wanted: VendorChange) -> VendorRow:
    row = get_vendor(tx, vendor_id)
    check_member(account, row.id)
    named = [name for name in ("isPublic", "isApproved") if name in msgspec.to_builtins(wanted)]
    if named and not account.is_admin:
        raise AdminsOnly(named)
    given = {name: value for name, value in msgspec.structs.asdict(wanted).items() if value is not UNSET}
    changed = msgspec.structs.replace(row, **given)
    vendors.change_vendor(tx, changed)
    return changed
