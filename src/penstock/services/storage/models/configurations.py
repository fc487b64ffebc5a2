"""Configurations as stored, requested and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.events import Event
from penstock.foundation.limits import Rows
from penstock.foundation.structs import Wire
from penstock.services.storage.models import TokenRef, to_text
from penstock.services.storage.models.configuration_rows import Row, StoredRow, in_order, row_view
from penstock.services.storage.models.metadata import CONFIGURATION, Owner

EVERYTHING = frozenset(("configuration", "rows", "state"))


class ConfigurationKey(msgspec.Struct, frozen=True):
    """Identifies a configuration. Having one implies that the caller may use its component."""

    project_id: int
    branch_id: int
    component_id: str
    id: str

    @property
    def owner(self) -> Owner:
        return Owner(self.project_id, self.branch_id, CONFIGURATION, f"{self.component_id}/{self.id}")


class ConfigurationDeleted(Event, frozen=True, kw_only=True):
    """It is in the trash now."""

    name: ClassVar[str] = "storage.configurationDeleted"
    branch_id: int
    component_id: str
    configuration_id: str


class ConfigurationRow(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as stored: documents as JSON text, secrets in them encrypted."""

    project_id: int
    branch_id: int
    component_id: str
    id: str
    name: str
    description: str
    configuration: bytes
    state: bytes
    version: int
    version_identifier: str
    change_description: str
    is_disabled: bool
    created: datetime
    changed: datetime
    creator_id: int
    creator_description: str
    changer_id: int
    changer_description: str
    rows_sort_order: Rows[str] = []
    is_deleted: bool = False

    @property
    def key(self) -> ConfigurationKey:
        return ConfigurationKey(self.project_id, self.branch_id, self.component_id, self.id)


class NewConfiguration(Wire, frozen=True):
    """`configuration` and `state` may be objects or JSON text; `[]` stands for an empty object."""

    name: str = ""
    """Name that people see. Required."""
    configuration_id: str = ""
    """Id of the configuration, unique among those of the component in the branch. Without it, a number is generated."""
    description: str = ""
    """What the configuration does."""
    configuration: Any = None
    """What the component reads: an object, or a text with JSON, of at most 4 MB. Values under keys that begin with `#`
    are encrypted."""
    state: Any = None
    """What the component reads as the state of its last run."""
    change_description: str = ""
    """Why the configuration is created, for the list of its versions."""
    is_disabled: bool = False
    """Whether jobs refuse to run the configuration, unless their mode is `forceRun`."""
    rows_sort_order: Rows[str] = []
    """Ids of the rows in the order in which they run. It names every row."""


class ChangedConfiguration(Wire, frozen=True):
    """Fields that are not set stay unchanged."""

    keeps_empty: ClassVar[tuple[str, ...]] = ("configuration", "state", "rowsSortOrder")

    name: str | UnsetType = UNSET
    """New name."""
    description: str | UnsetType = UNSET
    """New description."""
    configuration: Any = UNSET
    """The new content, which replaces the old one: an object, or a text with JSON, of at most 4 MB. Values under keys
    that begin with `#` are encrypted."""
    state: Any = UNSET
    """The new state. It creates no version."""
    is_disabled: bool | UnsetType = UNSET
    """Whether jobs refuse to run the configuration, unless their mode is `forceRun`."""
    rows_sort_order: Rows[str] | UnsetType = UNSET
    """Ids of the rows in the order in which they run. It names every row."""
    change_description: str = ""
    """Why it is changed, for the list of versions. Alone it changes nothing."""


class NewState(Wire, frozen=True):
    keeps_empty: ClassVar[tuple[str, ...]] = ("state",)

    state: Any = UNSET
    """The state that the component reads in its next run: an object, or a text with JSON. An empty object makes it
    start again."""


class ConfigurationsQuery(Wire, frozen=True):
    is_deleted: bool = False
    """Whether the configurations in the trash are listed, instead of the others."""


class CurrentVersion(Wire, frozen=True):
    created: str
    creator_token: TokenRef
    change_description: str
    version_identifier: str


class Configuration(Wire, frozen=True):
    id: str
    """Id of the configuration."""
    name: str
    """Name that people see."""
    description: str
    """What the configuration does."""
    created: str
    """When it was created."""
    creator_token: TokenRef
    """The token that created it."""
    version: int
    """Number of the current version, from 1."""
    change_description: str
    """Why it was changed the last time."""
    is_disabled: bool
    """Whether jobs refuse to run it, unless their mode is `forceRun`."""
    is_deleted: bool
    """Whether it is in the trash."""
    current_version: CurrentVersion
    """When and by whom the current version was created."""
    configuration: msgspec.Raw | UnsetType = UNSET
    """What the component reads. Secrets are ciphers."""
    state: msgspec.Raw | UnsetType = UNSET
    """What the component reads as the state of its last run."""
    rows: list[Row] | UnsetType = UNSET
    """The rows of the configuration."""
    rows_sort_order: Rows[str] | UnsetType = UNSET
    """Ids of the rows in the order in which they run. Empty: by their ids."""


class ConfigurationWithRows(msgspec.Struct, frozen=True):
    configuration: ConfigurationRow
    rows: list[StoredRow] = []


def configuration_view(configuration: ConfigurationWithRows, include: frozenset[str] = EVERYTHING) -> Configuration:
    row, with_rows = configuration.configuration, "rows" in include
    return Configuration(
        id=row.id,
        name=row.name,
        description=row.description,
        created=to_text(row.created),
        creator_token=TokenRef(row.creator_id, row.creator_description),
        version=row.version,
        change_description=row.change_description,
        is_disabled=row.is_disabled,
        is_deleted=row.is_deleted,
        current_version=CurrentVersion(
            created=to_text(row.changed),
            creator_token=TokenRef(row.changer_id, row.changer_description),
            change_description=row.change_description,
            version_identifier=row.version_identifier,
        ),
        configuration=msgspec.Raw(row.configuration) if "configuration" in include else UNSET,
        state=msgspec.Raw(row.state) if "state" in include else UNSET,
        rows=[row_view(each, include) for each in in_order(configuration.rows, row.rows_sort_order)]
        if with_rows
        else UNSET,
        rows_sort_order=row.rows_sort_order if with_rows else UNSET,
    )
