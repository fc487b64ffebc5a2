"""Which version of an approved app a project runs: approved ones, and in projects of its vendor all of them."""

from __future__ import annotations

import msgspec

from penstock.foundation.database import Transaction
from penstock.services.developer.errors import NoSuchTag, NotApproved
from penstock.services.developer.models.apps import AppRow, Versioned
from penstock.services.developer.operations.apps import TAGS_SHOWN, find_archive, get_vendor, in_version
from penstock.services.developer.store import apps


def choose_version(tx: Transaction, app: AppRow, tag: str, project_id: int) -> Versioned:
    """The newest version with the tag; without one, the newest. Raises if there is none that the project may run."""
    vendor = get_vendor(tx, app.vendor_id)
    is_own = project_id in vendor.projects
    default = in_version(tx, app, app.version if is_own else app.approved_version)
    if not tag or tag == default.version.tag:
        return default
    if version := apps.find_tagged(tx, app.id, tag, only_approved=not is_own):
        return Versioned(app=app, version=version, archive=find_archive(tx, version))
    if not default.archive and (is_own or vendor.approval == "vendor"):
        return _with_unknown_tag(default, tag)
    known = apps.list_tags(tx, app.id, TAGS_SHOWN, only_approved=not is_own)
    raise NotApproved(app.id, tag, known) if apps.find_tagged(tx, app.id, tag) else NoSuchTag(app.id, tag, known)


def _with_unknown_tag(versioned: Versioned, tag: str) -> Versioned:
    """An image that was pushed, and never deployed. Its digest is not known."""
    place = {**versioned.version.fields.get("repository", {}), "digest": ""}
    version = msgspec.structs.replace(
        versioned.version, tag=tag, fields={**versioned.version.fields, "repository": place}
    )
    return msgspec.structs.replace(versioned, version=version)
