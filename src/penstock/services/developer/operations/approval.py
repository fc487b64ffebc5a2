"""The life of an app: approval is requested, given or refused, and one day it is deprecated."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import ChangedSince, NoProgram, VendorWaits
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import Deprecation, Versioned
from penstock.services.developer.models.conversion import find_digest
from penstock.services.developer.operations.accounts import record
from penstock.services.developer.operations.apps import get_app, get_vendor
from penstock.services.developer.store import apps

ANSWERED: dict[str, Any] = {"requested": None, "requested_by": None, "rejection": None}
"""Of an app whose request for approval waits no longer."""


def deprecate(tx: Transaction, account: Account, vendor_id: str, app_id: str, deprecation: Deprecation) -> Versioned:
    found = get_app(tx, account, vendor_id, app_id)
    return _with_state(
        tx, found, is_deprecated=True, expired=deprecation.expired_on, replacement_app=deprecation.replacement_app
    )


def request_publishing(tx: Transaction, account: Account, vendor_id: str, app_id: str) -> Versioned:
    """Ask an administrator to approve the app; one who is an administrator approves it at once."""
    found = get_app(tx, account, vendor_id, app_id)
    if account.is_admin:
        return approve_current(tx, account, found)
    check_program(found)
    _check_vendor(tx, found)
    # The first request stays: what is changed after it may be after the look of an administrator.
    requested = {"requested": found.app.requested or clock.now(), "requested_by": account.username}
    return _with_state(tx, found, **requested, rejection=None)


def approve_current(tx: Transaction, account: Account, versioned: Versioned) -> Versioned:
    """Approve the version that the request for approval was made with; raises ChangedSince if there is another one."""
    app, version = versioned.app, versioned.version
    if app.requested and version.created > app.requested and version.created_by != account.username:
        raise ChangedSince(app.id, version.version)
    return approve(tx, account, versioned)


def approve(tx: Transaction, account: Account, versioned: Versioned) -> Versioned:
    """Approve a version: from now on every project can use it in this version, and runs it unless a newer one is
    approved."""
    check_program(versioned)
    _check_vendor(tx, versioned)
    app, version, now = versioned.app, versioned.version, clock.now()
    digest = find_digest(version, versioned.archive)
    record(tx, account, "developer.appApproved", f"app {app.id}", version=version.version, digest=digest)
    if not app.is_approved:  # what was approved before it was withdrawn
        apps.withdraw_all(tx, app.id)
    apps.change_approval(tx, app.id, version.version, now, account.username)
    approved = msgspec.structs.replace(version, approved=now, approved_by=account.username)
    versioned = msgspec.structs.replace(versioned, version=approved)
    known = {"is_public": True, "is_approved": True, "approved_version": apps.find_last_approved(tx, app.id)}
    return _with_state(tx, versioned, **known, **(ANSWERED if version.version == app.version else {}))


def reject(tx: Transaction, account: Account, versioned: Versioned, reason: str) -> Versioned:
    """Also of an approved app: projects can no longer run it."""
    record(tx, account, "developer.appRejected", f"app {versioned.app.id}")
    return _withdraw(tx, versioned, reason)


def reject_version(tx: Transaction, account: Account, versioned: Versioned, reason: str) -> Versioned:
    """Also of one that was approved: projects run the newest version that still is, and none without one."""
    app, version = versioned.app, versioned.version
    record(tx, account, "developer.versionRejected", f"app {app.id}", version=version.version)
    apps.change_approval(tx, app.id, version.version, None, None)
    versioned = msgspec.structs.replace(
        versioned, version=msgspec.structs.replace(version, approved=None, approved_by=None)
    )
    if not (last := apps.find_last_approved(tx, app.id)):
        return _withdraw(tx, versioned, reason)
    answered = {**ANSWERED, "rejection": reason} if version.version == app.version else {}
    return _with_state(tx, versioned, approved_version=last, **answered)


def _withdraw(tx: Transaction, versioned: Versioned, reason: str) -> Versioned:
    apps.withdraw_all(tx, versioned.app.id)
    known = {"is_public": False, "is_approved": False, "approved_version": 0}
    return _with_state(tx, versioned, **known, **ANSWERED | {"rejection": reason})


def _check_vendor(tx: Transaction, versioned: Versioned) -> None:
    if not get_vendor(tx, versioned.app.vendor_id).is_approved:
        raise VendorWaits(versioned.app.vendor_id)


def check_program(versioned: Versioned) -> None:
    repository = versioned.version.fields.get("repository", {})
    if not versioned.archive and not (repository.get("uri") and versioned.version.tag):
        raise NoProgram(versioned.app.id)


def _with_state(tx: Transaction, versioned: Versioned, **changes: Any) -> Versioned:
    app = msgspec.structs.replace(versioned.app, **changes)
    apps.change_app(tx, app)
    return msgspec.structs.replace(versioned, app=app)
