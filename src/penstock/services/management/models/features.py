"""Features and metadata, as stored, requested and returned."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.constraints import matching
from penstock.foundation.limits import MetadataItems
from penstock.foundation.structs import Wire
from penstock.services.management.models.projects import NATIVE_TYPES, PAY_AS_YOU_GO, STORAGE_BRANCHES
from penstock.services.management.models.wire import Name, ShortText, to_text

FeatureType = Literal["admin", "project", "global"]
FeatureName = Annotated[
    str,
    matching(
        r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$(?!\n)",
        "1 to 128 letters, digits, dots, dashes and underscores, the first a letter or a digit",
        "early-access",
    ),
]
Owner = Literal["maintainer", "organization", "project", "user", "template"]
"""What metadata can be about."""


class Feature(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    type: FeatureType
    title: str
    description: str
    can_be_managed_by_admin: bool = False
    can_be_managed_via_api: bool = True
    created: datetime


BUILT_IN = tuple(
    Feature(
        id=number,
        name=name,
        type="project",
        title=title,
        description=description,
        can_be_managed_by_admin=name != PAY_AS_YOU_GO,
        created=datetime(2026, 1, 1, tzinfo=UTC),
    )
    for number, (name, title, description) in enumerate(
        (
            (STORAGE_BRANCHES, "Storage branches", "Each development branch has its own buckets, tables and files."),
            (NATIVE_TYPES, "Native types", "New tables have typed columns."),
            (PAY_AS_YOU_GO, "Pay as you go", "Jobs use up credits, and without credits no job is accepted."),
        ),
        start=1,
    )
)
"""Those that this program knows; they are in every stack, and no row of a table."""


class NewFeature(Wire, frozen=True, kw_only=True):
    name: FeatureName
    """Name of the feature, by which programs ask for it."""
    type: FeatureType
    """What has the feature: `project`, `admin` for users, or `global` for the stack."""
    title: Name
    """Title of the feature, as people see it."""
    description: ShortText
    """What the feature does."""
    can_be_manage_by_admin: bool = False
    """Whether administrators of projects may switch it on and off."""
    can_be_managed_via_api: bool = msgspec.field(default=True, name="canBeManagedViaAPI")
    """Whether it may be switched on and off with the API."""


class FeatureChange(Wire, frozen=True, kw_only=True):
    """Fields that are not set stay unchanged."""

    title: Name | UnsetType = UNSET
    """New title."""
    description: ShortText | UnsetType = UNSET
    """New description."""
    can_be_manage_by_admin: bool | UnsetType = UNSET
    """Whether administrators of projects may switch it on and off."""
    can_be_managed_via_api: bool | UnsetType = msgspec.field(default=UNSET, name="canBeManagedViaAPI")
    """Whether it may be switched on and off with the API."""


class FeatureQuery(Wire, frozen=True, kw_only=True):
    type: str = ""
    """Only features of this type: `project`, `admin` or `global`."""


class FeatureView(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    type: str
    title: str
    description: str
    can_be_manage_by_admin: bool
    can_be_managed_via_api: bool = msgspec.field(name="canBeManagedViaAPI")
    created: str


class FeatureRef(Wire, frozen=True, kw_only=True):
    feature: FeatureName
    """Name of the feature."""


def feature_view(row: Feature) -> FeatureView:
    return FeatureView(
        id=row.id,
        name=row.name,
        type=row.type,
        title=row.title,
        description=row.description,
        can_be_manage_by_admin=row.can_be_managed_by_admin,
        can_be_managed_via_api=row.can_be_managed_via_api,
        created=to_text(row.created),
    )


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A key and its value, from a provider."""

    id: int
    provider: str
    key: str
    value: str
    timestamp: datetime


class MetadataItem(Wire, frozen=True, kw_only=True):
    key: Name
    """Key of the entry."""
    value: Annotated[str, msgspec.Meta(max_length=100_000)]
    """Value of the entry, at most 100,000 characters."""


class NewEntries(Wire, frozen=True, kw_only=True):
    metadata: MetadataItems[MetadataItem]
    """The entries to set. One with the same key and provider is overwritten."""
    provider: Literal["user", "system", "maintainer"] = "user"
    """Who provides the entries."""


class EntryView(Wire, frozen=True, kw_only=True):
    id: int
    provider: str
    timestamp: str
    key: str
    value: str


def entry_view(row: Entry) -> EntryView:
    return EntryView(id=row.id, provider=row.provider, timestamp=to_text(row.timestamp), key=row.key, value=row.value)
