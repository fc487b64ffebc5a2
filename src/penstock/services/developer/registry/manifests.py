"""Manifests and tags. A manifest is kept as it was sent, once everything that it names is there."""

from __future__ import annotations

import hashlib

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.developer.models.conversion import find_digest
from penstock.services.developer.operations.accounts import record
from penstock.services.developer.registry import store
from penstock.services.developer.registry.access import Repository
from penstock.services.developer.registry.errors import (
    DigestInvalid,
    ImageInUse,
    ManifestBlobUnknown,
    ManifestUnknown,
    TooManyImages,
)
from penstock.services.developer.registry.models import ManifestRow, Named, read_manifest
from penstock.services.developer.registry.names import check_digest, check_tag, is_digest
from penstock.services.developer.store import apps

MAX_IMAGES = 10_000
"""Manifests, and tags, of one app."""


def get_manifest(tx: Transaction, app_id: str, reference: str) -> ManifestRow:
    """Return a manifest by its digest, or by a tag."""
    digest = check_digest(reference) if is_digest(reference) else store.find_tagged(tx, app_id, check_tag(reference))
    row = store.find_manifest(tx, app_id, digest) if digest else None
    if not row:
        raise ManifestUnknown(reference)
    return row


def put_manifest(tx: Transaction, repository: Repository, reference: str, media_type: str, content: bytes) -> str:
    """Returns its digest. A tag that exists names this manifest from now on."""
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    if is_digest(reference) and check_digest(reference) != digest:
        raise DigestInvalid(f"The digest of the manifest is {digest}, and not {reference}.")
    tag = None if is_digest(reference) else check_tag(reference)
    named, app_id = read_manifest(content, media_type), repository.app.id
    _check_named(tx, app_id, named)
    if not store.find_manifest(tx, app_id, digest):
        if store.count_manifests(tx, app_id) >= MAX_IMAGES:
            raise TooManyImages(MAX_IMAGES)
        row = ManifestRow(
            app_id=app_id,
            digest=digest,
            media_type=media_type,
            content=content,
            refers_to=[*named.blobs, *named.manifests],
            created=clock.now(),
            created_by=repository.account.username,
        )
        store.add_manifest(tx, row)
    if tag:
        _set_tag(tx, app_id, tag, digest)
    record(tx, repository.account, "developer.imagePushed", f"app {app_id}", tag=tag or "", digest=digest)
    return digest


def _set_tag(tx: Transaction, app_id: str, tag: str, digest: str) -> None:
    tags = store.list_tags(tx, app_id)
    if tag not in tags and len(tags) >= MAX_IMAGES:
        raise TooManyImages(MAX_IMAGES)
    store.put_tag(tx, app_id, tag, digest)


def _check_named(tx: Transaction, app_id: str, named: Named) -> None:
    blobs = store.list_known(tx, app_id, named.blobs)
    manifests = store.list_known_manifests(tx, app_id, named.manifests)
    missing = [each for each in named.blobs if each not in blobs]
    missing += [each for each in named.manifests if each not in manifests]
    if missing:
        raise ManifestBlobUnknown(missing)


def remove_manifest(tx: Transaction, repository: Repository, reference: str) -> None:
    """A tag, or a manifest with all of its tags. Blobs that no manifest names any more are swept later."""
    app = repository.app
    row = get_manifest(tx, app.id, reference)
    tags = store.list_tags_of(tx, app.id, row.digest) if is_digest(reference) else [reference]
    for number in {app.version, app.approved_version}:
        used = apps.find_version(tx, app.id, number)
        if used and (used.tag in tags or (is_digest(reference) and find_digest(used, None) == row.digest)):
            raise ImageInUse(used.tag)
    if is_digest(reference):
        store.remove_manifest(tx, app.id, row.digest)
    else:
        store.remove_tag(tx, app.id, reference)
    record(tx, repository.account, "developer.imageRemoved", f"app {app.id}", reference=reference)
