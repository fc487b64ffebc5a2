"""Service accounts of the developer portal: programs of vendors, and of administrators."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import (
    AccountNotFound,
    IdTaken,
    NameOfUser,
    NotOfVendor,
    VendorNotFound,
    WrongLogin,
)
from penstock.services.developer.models.accounts import Account, AccountRow, Credentials, NewAccount
from penstock.services.developer.store import accounts, vendors

OPERATOR = Account(username="operator", name="operator", is_admin=True)
"""Whoever has the data folder of the stack."""
_NOBODY = ids.hash_secret("nobody")


def check_credentials(tx: Transaction, credentials: Credentials) -> Account:
    """The account; raises WrongLogin. Takes as long for a name that nobody has."""
    row = accounts.find_account(tx, credentials.email)
    is_right = hmac.compare_digest(row.password_hash if row else _NOBODY, ids.hash_secret(credentials.password))
    if not row or not is_right:
        raise WrongLogin
    return _to_account(row)


def find_account(tx: Transaction, username: str) -> Account | None:
    row = accounts.find_account(tx, username)
    return _to_account(row) if row else None


def create_service_account(
    tx: Transaction, by: Account, vendor_id: str, new_account: NewAccount
) -> tuple[AccountRow, str]:
    """An account for programs of the vendor, and its password, which is not stored."""
    username = f"service.{vendor_id}.{new_account.name}"
    return create_account(tx, by, username, [vendor_id], description=new_account.description)


def create_account(
    tx: Transaction, by: Account, username: str, vendor_ids: Sequence[str], *, is_admin: bool = False, description: str
) -> tuple[AccountRow, str]:
    if "@" in username:
        raise NameOfUser(username)
    for vendor_id in vendor_ids:
        if not vendors.find_vendor(tx, vendor_id):
            raise VendorNotFound(vendor_id)
    if accounts.find_account(tx, username):
        raise IdTaken("account", username)
    password = ids.new_secret()
    row = AccountRow(
        username=username,
        description=description,
        vendors=list(vendor_ids),
        is_admin=is_admin,
        password_hash=ids.hash_secret(password),
        created=clock.now(),
        created_by=by.username,
    )
    accounts.add_account(tx, row)
    record(tx, by, "developer.accountCreated", f"account {username}", vendors=row.vendors, isAdmin=is_admin)
    return row, password


def remove_account(tx: Transaction, by: Account, username: str) -> None:
    """Remove an account: its tokens stop working with the commit."""
    ids.count_change(tx, CALLERS)
    if not accounts.remove_account(tx, username):
        raise AccountNotFound(username)
    record(tx, by, "developer.accountRemoved", f"account {username}")


def check_member(account: Account, vendor_id: str) -> None:
    if not account.is_admin and vendor_id not in account.vendors:
        raise NotOfVendor(vendor_id)


def record(tx: Transaction, by: Account, event: str, target: str, **details: object) -> None:
    audit.record(tx, audit.NewEntry(event=event, project_id=0, target=target, details=details, actor=by.username))


def _to_account(row: AccountRow) -> Account:
    return Account(
        username=row.username,
        name=row.description or row.username,
        email=row.username,
        vendors=tuple(row.vendors),
        is_admin=row.is_admin,
    )
