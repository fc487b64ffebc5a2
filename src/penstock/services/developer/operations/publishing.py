"""Publishes archives: received on the disk, checked completely, kept in the object store, and then a version."""

from __future__ import annotations

import hashlib
import secrets
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.components.archives import BadArchive, unpack_archive
from penstock.components.manifest import BadManifest, Manifest, read_manifest
from penstock.foundation import clock, ids
from penstock.foundation.blobs import BlobFolder, Incoming, noticing_a_full_disk
from penstock.foundation.database import Database, Transaction
from penstock.foundation.files.removal import remove_tree
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import TagTaken, WrongArchive
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import AppRow, ArchiveRow, Versioned
from penstock.services.developer.models.conversion import OF_MANIFEST, to_fields
from penstock.services.developer.models.vendors import VendorRow
from penstock.services.developer.operations.apps import (
    add_version,
    find_archive,
    in_version,
)
from penstock.services.developer.operations.fields import check_fields, check_secrets
from penstock.services.developer.store import accounts, apps, archives, people, vendors

FOLDER = "archives"
CHECKING = "checking"
FORGOTTEN_SECONDS = 24 * 3600


class Checked(msgspec.Struct, frozen=True):
    """An archive that was received, and is what it should be."""

    manifest: Manifest
    sha256: str


def archives_in(folder: Path) -> BlobFolder:
    """The archives of the stack in this data folder."""
    return BlobFolder(folder / FOLDER)


def check_archive(folder: BlobFolder, incoming: Incoming) -> Checked:
    """Unpacks it as a worker would, and leaves nothing of that."""
    place = folder.root / CHECKING / secrets.token_hex(8)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    incoming.read_start(0)
    try:
        with incoming.path.open("rb") as file, noticing_a_full_disk():
            checksum = hashlib.file_digest(file, "sha256").hexdigest()
            unpack_archive(file, place)
            return Checked(read_manifest(place), checksum)
    except BadManifest as error:
        raise BadArchive(error.message.replace(f"{place}/", "").replace(str(place), "the archive")) from error
    finally:
        remove_tree(place)


def publish_archive(
    database: Database, folder: BlobFolder, account: Account, app_id: str, incoming: Incoming
) -> Versioned:
    """The current version from now on. The same archive again changes nothing; another one needs another tag."""
    checked = check_archive(folder, incoming)
    check_secrets(to_fields(checked.manifest))
    if checked.manifest.id != app_id:
        raise WrongArchive(checked.manifest.id, app_id)
    with database.writing(0) as tx:
        if known := _find_published(tx, app_id, checked):
            return known
        archive_id = ids.new_id(tx)
    content = folder.store(incoming, archive_id)
    row = ArchiveRow(
        id=archive_id,
        app_id=app_id,
        content=content,
        sha256=checked.sha256,
        size_bytes=incoming.size,
        created=clock.now(),
    )
    try:
        with database.writing(0) as tx:
            made = _record(tx, account, row, checked)
    except BaseException:
        folder.remove(archive_id)
        raise
    if made.archive and made.archive.id != archive_id:
        folder.remove(archive_id)
    return made


def drop_archives(folder: BlobFolder, rows: list[ArchiveRow]) -> None:
    """Remove archives, after the transaction that removed their rows."""
    for row in rows:
        folder.remove(row.id)


def maintain(stack: Stack) -> None:
    """Removes expired logins, sign-ups and invitations, and what a killed process has left."""
    with stack.database.writing(0) as tx:
        accounts.remove_expired_logins(tx, clock.now())
        people.remove_expired(tx, clock.now())
    folder = archives_in(stack.folder)
    folder.sweep(FORGOTTEN_SECONDS)
    for place in (folder.root / CHECKING).glob("*"):
        if _is_old(place):
            remove_tree(place)
    _remove_orphans(stack, folder)


def _remove_orphans(stack: Stack, folder: BlobFolder) -> None:
    """Bytes are stored before their row, so only old ones are without one for good."""
    found = {each for each in folder.file_ids() if _is_old(folder.root / "stored" / str(each))}
    with stack.database.reading() as tx:
        known = archives.list_archives(tx, found)
    for archive_id in found - set(known):
        folder.remove(archive_id)


def _is_old(path: Path) -> bool:
    with suppress(FileNotFoundError):
        return time.time() - path.stat().st_mtime > FORGOTTEN_SECONDS
    return False


def _find_published(tx: Transaction, app_id: str, checked: Checked) -> Versioned | None:
    """The current version, if it has this archive already; raises TagTaken."""
    app, tagged = apps.find_app(tx, app_id), apps.find_tagged(tx, app_id, checked.manifest.tag)
    archive = find_archive(tx, tagged) if tagged else None
    if archive and archive.sha256 != checked.sha256:
        raise TagTaken(app_id, checked.manifest.tag)
    current = in_version(tx, app, app.version) if app else None
    return current if current and current.archive and current.archive.sha256 == checked.sha256 else None


def _record(tx: Transaction, account: Account, row: ArchiveRow, checked: Checked) -> Versioned:
    if known := _find_published(tx, row.app_id, checked):
        return known
    app = apps.find_app(tx, row.app_id) or _add_app(tx, account, row.app_id)
    before = in_version(tx, app, app.version).version.fields if app.version else {}
    others = {name: value for name, value in before.items() if name not in OF_MANIFEST and name != "repository"}
    fields = {**others, **to_fields(checked.manifest)}
    check_fields(account, before, fields)
    archive = archives.find_same(tx, row.app_id, row.sha256)
    if not archive:
        archives.add_archive(tx, row)
    manifest = checked.manifest
    command, is_approved = list(manifest.command), account.is_admin
    return add_version(tx, account, app, fields, manifest.tag, archive or row, command, is_approved=is_approved)


def _add_app(tx: Transaction, account: Account, app_id: str) -> AppRow:
    """Add an app without a version, which is added next. Only the operator may publish without creating it first."""
    now, vendor_id = clock.now(), app_id.partition(".")[0]
    if not vendors.find_vendor(tx, vendor_id):
        vendor = VendorRow(id=vendor_id, name=vendor_id, is_approved=True, created=now, created_by=account.username)
        vendors.add_vendor(tx, vendor)
    app = AppRow(id=app_id, vendor_id=vendor_id, version=0, last_version=0, created=now, created_by=account.username)
    apps.add_app(tx, app)
    return app
