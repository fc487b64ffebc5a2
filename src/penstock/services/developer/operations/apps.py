"""Apps: each change is a version, and one of the versions is the current one."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.components import catalogue
from penstock.foundation import clock, ids
from penstock.foundation.database import Transaction
from penstock.foundation.logging import Log
from penstock.services.developer.errors import (
    AppNotFound,
    ApprovedVersion,
    CurrentVersion,
    IdTaken,
    NoSuchTag,
    VendorNotFound,
    VersionNotFound,
)
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import (
    AppChange,
    AppRow,
    ArchiveRow,
    Document,
    NewApp,
    Versioned,
    VersionRow,
)
from penstock.services.developer.models.conversion import find_digest
from penstock.services.developer.models.vendors import PageQuery, VendorRow
from penstock.services.developer.operations.accounts import check_member, record
from penstock.services.developer.operations.fields import check_fields, merge_fields
from penstock.services.developer.store import apps, archives, vendors

log = Log("developer")
TAGS_SHOWN = 10


def get_vendor(tx: Transaction, vendor_id: str) -> VendorRow:
    found = vendors.find_vendor(tx, vendor_id)
    if not found:
        raise VendorNotFound(vendor_id)
    return found


def get_app(tx: Transaction, account: Account, vendor_id: str, app_id: str) -> Versioned:
    """An app of a vendor that the account belongs to, in its current version."""
    vendor = get_vendor(tx, vendor_id)
    check_member(account, vendor.id)
    app = apps.find_app(tx, full_id(vendor_id, app_id))
    if not app or app.vendor_id != vendor.id:
        raise AppNotFound(app_id)
    return in_version(tx, app, app.version)


def get_public_app(tx: Transaction, app_id: str) -> Versioned:
    app = apps.find_app(tx, app_id)
    if not app or not app.is_public:
        raise AppNotFound(app_id)
    return in_version(tx, app, app.approved_version or app.version)


def full_id(vendor_id: str, app_id: str) -> str:
    """Clients write an app with its vendor, or without."""
    return app_id if app_id.startswith(f"{vendor_id}.") else f"{vendor_id}.{app_id}"


def in_version(tx: Transaction, app: AppRow, version: int) -> Versioned:
    found = apps.find_version(tx, app.id, version)
    if not found:
        raise VersionNotFound(app.id, str(version))
    return Versioned(app=app, version=found, archive=find_archive(tx, found))


def with_tag(tx: Transaction, app: AppRow, tag: str) -> Versioned:
    """The newest version with this tag."""
    current = in_version(tx, app, app.version)
    if not tag or tag == current.version.tag:
        return current
    if found := apps.find_tagged(tx, app.id, tag):
        return Versioned(app=app, version=found, archive=find_archive(tx, found))
    raise NoSuchTag(app.id, tag, apps.list_tags(tx, app.id, TAGS_SHOWN))


def find_archive(tx: Transaction, version: VersionRow) -> ArchiveRow | None:
    return archives.find_archive(tx, version.archive_id) if version.archive_id is not None else None


def in_current_versions(tx: Transaction, rows: list[AppRow], *, only_approved: bool = False) -> list[Versioned]:
    """Return apps in their current versions with few queries, however many there are; `only_approved`: in the version
    that projects run."""
    current = apps.list_current(tx, [row.id for row in rows], only_approved=only_approved)
    known = archives.list_archives(tx, [each.archive_id for each in current.values() if each.archive_id is not None])
    return [
        Versioned(app=row, version=found, archive=known.get(found.archive_id or 0))
        for row in rows
        if (found := current.get(row.id))
    ]


def list_apps(tx: Transaction, account: Account, vendor_id: str, page: PageQuery) -> list[Versioned]:
    vendor = get_vendor(tx, vendor_id)
    check_member(account, vendor.id)
    return in_current_versions(tx, apps.list_apps(tx, page, vendor.id))


def create_app(tx: Transaction, account: Account, vendor_id: str, new_app: NewApp) -> Versioned:
    vendor = get_vendor(tx, vendor_id)
    check_member(account, vendor.id)
    fields, tag = merge_fields(account, {}, "", new_app)
    return add_app(tx, account, vendor, f"{vendor.id}.{new_app.id}", fields, tag)


def add_app(tx: Transaction, account: Account, vendor: VendorRow, app_id: str, fields: Document, tag: str) -> Versioned:
    """The first version."""
    if apps.find_app(tx, app_id) or catalogue.find_component(app_id):
        raise IdTaken("app", app_id)
    now = clock.now()
    app = AppRow(id=app_id, vendor_id=vendor.id, version=1, last_version=1, created=now, created_by=account.username)
    first = VersionRow(
        app_id=app_id,
        version=1,
        tag=tag,
        fields=fields,
        command=[],
        archive_id=None,
        created=now,
        created_by=account.username,
    )
    apps.add_app(tx, app)
    apps.add_version(tx, first)
    return Versioned(app=app, version=first)


def change_app(tx: Transaction, account: Account, vendor_id: str, app_id: str, change: AppChange) -> Versioned:
    """A new version, with what the request names changed. A new image takes the place of an archive."""
    found = get_app(tx, account, vendor_id, app_id)
    fields, tag = merge_fields(account, found.version.fields, found.version.tag, change)
    is_image = change.repository is not UNSET and change.repository.uri is not UNSET
    archive = None if is_image else found.archive
    # An administrator who changes a text has not looked at the program.
    is_approved = account.is_admin and (change.repository is not UNSET or found.version.approved is not None)
    if archive and tag != found.version.tag:
        # The tag of an archive is that of its manifest, so another tag names another version.
        return _adopt(tx, account, found.app, with_tag(tx, found.app, tag), fields, is_approved=is_approved)
    command = [] if is_image else found.version.command
    return add_version(tx, account, found.app, fields, tag, archive, command, is_approved=is_approved)


def roll_back(tx: Transaction, account: Account, vendor_id: str, app_id: str, version: str) -> Versioned:
    """A new version that is as an older one was."""
    found = get_app(tx, account, vendor_id, app_id)
    old = get_version(tx, found.app, version)
    check_fields(account, found.version.fields, old.version.fields)
    is_approved = account.is_admin or old.version.approved is not None
    return _adopt(tx, account, found.app, old, old.version.fields, is_approved=is_approved)


def _adopt(
    tx: Transaction, account: Account, app: AppRow, old: Versioned, fields: Document, *, is_approved: bool
) -> Versioned:
    known = old.version
    return add_version(tx, account, app, fields, known.tag, old.archive, known.command, is_approved=is_approved)


def add_version(
    tx: Transaction,
    account: Account,
    app: AppRow,
    fields: Document,
    tag: str,
    archive: ArchiveRow | None,
    command: list[str],
    *,
    is_approved: bool,
) -> Versioned:
    """The current version. Projects run it once it is approved; until then they stay at the one that was."""
    is_approved = is_approved or get_vendor(tx, app.vendor_id).approval == "vendor"
    now = clock.now()
    version = VersionRow(
        app_id=app.id,
        version=app.last_version + 1,
        tag=tag,
        fields=fields,
        command=command,
        archive_id=archive.id if archive else None,
        created=now,
        created_by=account.username,
        approved=now if is_approved else None,
        approved_by=account.username if is_approved else None,
    )
    changed = _with_version(app, version)
    apps.add_version(tx, version)
    apps.change_app(tx, changed)
    facts = {"version": version.version, "tag": tag, "digest": find_digest(version, archive), "isApproved": is_approved}
    record(tx, account, "developer.versionCreated", f"app {app.id}", **facts)
    if app.is_approved and not is_approved:
        log.warning("a version waits for approval", app=app.id, runs=app.approved_version, **facts)
    return Versioned(app=changed, version=version, archive=archive)


def _with_version(app: AppRow, version: VersionRow) -> AppRow:
    """A version of an app that projects use is a request for approval by itself."""
    numbers = {"version": version.version, "last_version": version.version}
    if version.approved:
        known: dict[str, Any] = {"approved_version": version.version, "requested": None, "requested_by": None}
    elif app.is_approved:
        requested = app.requested or version.created
        known = {"requested": requested, "requested_by": version.created_by, "rejection": None}
    else:
        known = {}
    return msgspec.structs.replace(app, **numbers, **known)


def get_version(tx: Transaction, app: AppRow, version: str) -> Versioned:
    number = ids.read_id(version)
    if number is None or number > app.last_version:
        raise VersionNotFound(app.id, version)
    return in_version(tx, app, number)


def remove_version(tx: Transaction, account: Account, vendor_id: str, app_id: str, version: str) -> list[ArchiveRow]:
    """Returns the archives that nothing needs any more. Jobs and configurations with its tag are refused from then on,
    unless another version has it."""
    app = get_app(tx, account, vendor_id, app_id).app
    old = get_version(tx, app, version)
    if old.version.version == app.version:
        raise CurrentVersion(app.version)
    if old.version.version == app.approved_version:
        raise ApprovedVersion(app.approved_version)
    apps.remove_version(tx, app.id, old.version.version)
    record(tx, account, "developer.versionRemoved", f"app {app.id}", version=old.version.version)
    return archives.remove_unused(tx, app.id)


def remove_app(tx: Transaction, account: Account, vendor_id: str, app_id: str) -> tuple[Versioned, list[ArchiveRow]]:
    """Remove an app with all of its versions. Its configurations stay, and can run once an app with its id is published
    again."""
    found = get_app(tx, account, vendor_id, app_id)
    apps.remove_app(tx, found.app.id)
    record(tx, account, "developer.appRemoved", f"app {found.app.id}")
    return found, archives.remove_unused(tx, found.app.id)
