"""Apps as this API returns them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.services.developer.models.apps import AppFields, ArchiveRow, Document, Versioned, VersionRow
from penstock.services.developer.models.conversion import find_digest, read_repository
from penstock.services.developer.models.vendors import Vendor, VendorRow, vendor_view

PRIVATE = ("imageParameters", "stackParameters", "testConfiguration")
"""What only those see who may change the app."""
_DEFAULTS: Document = {
    **dict.fromkeys(("shortDescription", "longDescription", "licenseUrl", "documentationUrl"), ""),
    **dict.fromkeys(("configurationDescription", "icon32", "icon64", "legacyUri", "limits", "permissions"), ""),
    **dict.fromkeys(("encryption", "forwardToken", "forwardTokenDetails", "injectEnvironment", "fees"), False),
    **{name: [] for name in ("features", "actions", "uiOptions", "categories")},
    **{name: {} for name in ("configurationSchema", "configurationRowSchema", "loggerConfiguration", *PRIVATE)},
    **{name: {} for name in ("emptyConfiguration", "emptyConfigurationRow")},
    "requiredMemory": "2048m",
    "processTimeout": 14400,
    "network": "bridge",
    "logger": "standard",
    "stagingStorageInput": "local",
    "stagingStorageOutput": "local",
    "defaultBucket": False,
    "defaultBucketStage": "in",
    "configurationFormat": "json",
}


class App(AppFields, frozen=True, kw_only=True, rename="camel"):
    id: str
    vendor: Vendor
    version: int
    approved_version: int | None
    """The one that projects run."""
    created_on: datetime
    created_by: str
    repository: dict[str, Any]
    is_public: bool
    is_approved: bool
    is_deprecated: bool
    expired_on: datetime | None
    replacement_app: str | None
    publish_requested_on: datetime | None
    publish_requested_by: str | None
    publish_rejection: str | None


class AppVersion(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A version in a list."""

    version: int
    tag: str
    created_on: datetime
    created_by: str
    is_current: bool
    is_approved: bool
    archive: dict[str, Any] | None
    """Its checksum and size, if its program is an archive."""
    digest: str | None
    """Of its program; None if it is an image elsewhere whose digest was not given."""


def app_view(versioned: Versioned, vendor: VendorRow, *, is_public: bool) -> App:
    """`is_public`: as everybody sees it."""
    app = versioned.app
    fields = {**_DEFAULTS, **versioned.version.fields}
    shown = {name: value for name, value in fields.items() if not is_public or name not in PRIVATE}
    own = {
        "id": app.id,
        "vendor": msgspec.to_builtins(vendor_view(vendor, is_public=is_public)),
        "version": versioned.version.version,
        "approvedVersion": app.approved_version if app.is_approved else None,
        "createdOn": app.created,
        "createdBy": app.created_by,
        "repository": read_repository(versioned.version, versioned.archive),
        "isPublic": app.is_public,
        "isApproved": app.is_approved,
        "isDeprecated": app.is_deprecated,
        "expiredOn": app.expired,
        "replacementApp": app.replacement_app,
        "publishRequestedOn": app.requested,
        "publishRequestedBy": app.requested_by,
        "publishRejection": app.rejection,
    }
    return msgspec.convert({**shown, **own}, App)


def version_view(version: VersionRow, archive: ArchiveRow | None, current: int) -> AppVersion:
    return AppVersion(
        version=version.version,
        tag=version.tag,
        created_on=version.created,
        created_by=version.created_by,
        is_current=version.version == current,
        is_approved=version.approved is not None,
        archive={"sha256": archive.sha256, "sizeBytes": archive.size_bytes} if archive else None,
        digest=find_digest(version, archive),
    )
