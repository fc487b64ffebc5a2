"""Apps and their images: a change that names a tag need not say where the image is, and a removed app has none."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from penstock.foundation.database import Transaction
from penstock.services.developer.errors import NotPushed
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import AppChange, ArchiveRow, Repository, Versioned
from penstock.services.developer.operations import apps
from penstock.services.developer.registry import store
from penstock.services.developer.registry.names import is_own_image, registry_address, repository_name
from penstock.web.addresses import Addresses

OWN_TYPE = "ecr"
"""What clients call a registry that the portal issues credentials for."""


def with_own_image(tx: Transaction, versioned: Versioned, change: AppChange, addresses: Addresses) -> AppChange:
    """The change with the address and the digest of the image. Raises NotPushed if that is here, and the tag is not."""
    repository = change.repository
    if repository is UNSET:
        return change
    uri = repository.uri if repository.uri is not UNSET else _find_uri(versioned, repository)
    if uri is None and repository.tag:
        name = repository_name(versioned.app.vendor_id, versioned.app.id)
        uri = f"{registry_address(addresses)}/{name}"
        repository = msgspec.structs.replace(repository, type=OWN_TYPE, uri=uri)
    # Also if only the address or the digest is given: an image here is never known by its tag alone.
    tag = versioned.version.tag if repository.tag is UNSET else repository.tag
    if tag and uri and (digest := _find_digest(tx, versioned, uri, tag, addresses)):
        repository = msgspec.structs.replace(repository, digest=digest)
    return msgspec.structs.replace(change, repository=repository)


def _find_uri(versioned: Versioned, repository: Repository) -> str | None:
    """Return where the program is now: a change of the tag alone leaves it there. None if it comes from here from now
    on."""
    current = versioned.version.fields.get("repository", {})
    if repository.type is not UNSET and repository.type != OWN_TYPE:
        return str(current.get("uri", ""))
    if repository.type == OWN_TYPE and (versioned.archive or current.get("type") != OWN_TYPE):
        return None
    return "" if versioned.archive else str(current.get("uri", "")) or None


def _find_digest(tx: Transaction, versioned: Versioned, uri: str, tag: str, addresses: Addresses) -> str | None:
    """Return the digest of an image here: its tag may be pushed again. None of one elsewhere."""
    app = versioned.app
    if not is_own_image(uri, addresses, f"{app.vendor_id}/{app.id}"):
        return None
    digest = store.find_tagged(tx, app.id, tag)
    if not digest:
        raise NotPushed(f"{uri}:{tag}")
    return digest


def remove_app(tx: Transaction, account: Account, vendor_id: str, app_id: str) -> tuple[Versioned, list[ArchiveRow]]:
    """Remove an app with its versions and images. Return it, and the archives that nothing needs any longer."""
    found, unused = apps.remove_app(tx, account, vendor_id, app_id)
    store.remove_images(tx, found.app.id)
    return found, unused
