"""Versions of configurations and rows; they exist as long as the configuration does."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, TokenRef, to_text

VERSIONS_SHOWN = 1000


class VersionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a configuration, without its rows: versions of rows record the range of versions they belong to."""

    project_id: int
    branch_id: int
    component_id: str
    config_id: str
    version: int
    name: str
    description: str
    configuration: bytes
    rows_sort_order: list[str]
    is_disabled: bool
    is_deleted: bool
    change_description: str
    version_identifier: str
    created: datetime
    creator_id: int
    creator_description: str


class RowVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a row. It belongs to the configuration's versions from `since` up to but excluding `until`."""

    project_id: int
    branch_id: int
    component_id: str
    config_id: str
    row_id: str
    version: int
    name: str
    description: str
    configuration: bytes
    is_disabled: bool
    change_description: str
    version_identifier: str
    created: datetime
    creator_id: int
    creator_description: str
    since: int
    until: int | None = None


class VersionsQuery(Wire, frozen=True):
    """`include` is a comma-separated list; the document is returned only on request."""

    include: str = ""
    """`configuration` returns the contents of each version too."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=VERSIONS_SHOWN)] = 100
    """The highest number of versions to return."""
    offset: Number = 0

    @property
    def with_documents(self) -> bool:
        return "configuration" in self.include.split(",")


class ChangeText(Wire, frozen=True):
    """The description of a change, given by its author."""

    change_description: str = ""
    """Why it is changed, for the list of versions."""


class NewCopy(Wire, frozen=True):
    name: str = ""
    """Name of the new configuration. Required."""
    description: str | UnsetType = UNSET
    """Description of the new configuration. Without it, that of the version."""
    change_description: str = ""
    """Why it is copied, for the list of versions."""


class NewRowCopy(Wire, frozen=True):
    target_config_id: str = ""
    """Id of the configuration that gets the new row. Without it, the one that the version belongs to."""
    change_description: str = ""
    """Why it is copied, for the list of versions."""


class Version(Wire, frozen=True):
    version: int
    """Number of the version, from 1."""
    created: str
    """When the version was created."""
    creator_token: TokenRef
    """The token that created it."""
    change_description: str
    """Why it was changed."""
    is_deleted: bool
    """Whether the configuration was moved to the trash with it."""
    name: str
    """Name in this version."""
    description: str
    """Description in this version."""
    version_identifier: str
    """Identifies the version across rows and configurations."""
    is_disabled: bool
    """Whether it was disabled in this version."""
    id: str | UnsetType = UNSET
    """The row's id, in a version of a row."""
    configuration: msgspec.Raw | UnsetType = UNSET
    """The content of this version."""
    rows: list[Version] | UnsetType = UNSET
    """The rows as they were."""
    rows_sort_order: list[str] | UnsetType = UNSET
    """The order of the rows as it was."""


class RolledBack(Wire, frozen=True):
    version: int
    """Number of the new version."""


class Copied(Wire, frozen=True):
    id: str
    """Id of the copy."""


def version_view(row: VersionRow | RowVersion, with_document: bool) -> Version:
    return Version(
        id=row.row_id if isinstance(row, RowVersion) else UNSET,
        version=row.version,
        created=to_text(row.created),
        creator_token=TokenRef(row.creator_id, row.creator_description),
        change_description=row.change_description,
        is_deleted=isinstance(row, VersionRow) and row.is_deleted,
        name=row.name,
        description=row.description,
        version_identifier=row.version_identifier,
        is_disabled=row.is_disabled,
        configuration=msgspec.Raw(row.configuration) if with_document else UNSET,
    )


def version_with_rows_view(row: VersionRow, rows: list[RowVersion]) -> Version:
    shown = [version_view(each, with_document=True) for each in rows]
    whole = version_view(row, with_document=True)
    return msgspec.structs.replace(whole, rows=shown, rows_sort_order=row.rows_sort_order)
