"""Components and configurations as they are kept, asked for and shown."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.components.component import Component
from penstock.services.storage.models import TokenRef, Wire, to_text


class ConfigurationRow(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as it is kept: documents as JSON text, secrets in them encrypted."""

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


class NewConfiguration(Wire, frozen=True):
    """`configuration` and `state` may be objects or JSON text; `[]` stands for an empty object."""

    name: str = ""
    configuration_id: str = ""
    description: str = ""
    configuration: Any = None
    state: Any = None
    change_description: str = "Configuration created"
    is_disabled: bool = False


class CurrentVersion(Wire, frozen=True):
    created: str
    creator_token: TokenRef
    change_description: str
    version_identifier: str


class Configuration(Wire, frozen=True):
    id: str
    name: str
    description: str
    created: str
    creator_token: TokenRef
    version: int
    change_description: str
    is_disabled: bool
    current_version: CurrentVersion
    is_deleted: bool = False
    configuration: msgspec.Raw | UnsetType = UNSET
    state: msgspec.Raw | UnsetType = UNSET
    rows: list[Any] | UnsetType = UNSET
    rows_sort_order: list[str] | UnsetType = UNSET


class ComponentView(Wire, frozen=True):
    """A component as the index and the lists show it."""

    id: str
    name: str
    type: str
    description: str
    uri: str
    flags: list[str] = []
    categories: list[str] = []
    features: list[str] = []
    data: dict[str, Any] = {}
    configuration_schema: dict[str, Any] = {}
    configuration_row_schema: dict[str, Any] = {}
    empty_configuration: dict[str, Any] = {}
    empty_configuration_row: dict[str, Any] = {}
    ui_options: dict[str, Any] = {}
    configurations: list[Configuration] | UnsetType = UNSET


def show_component(component: Component, storage_url: str) -> ComponentView:
    return ComponentView(
        id=component.id,
        name=component.name,
        type=component.type,
        description=component.description,
        uri=f"{storage_url}/v2/storage/components/{component.id}",
    )


def show_configuration(row: ConfigurationRow, include: frozenset[str]) -> Configuration:
    creator = TokenRef(row.creator_id, row.creator_description)
    return Configuration(
        id=row.id,
        name=row.name,
        description=row.description,
        created=to_text(row.created),
        creator_token=creator,
        version=row.version,
        change_description=row.change_description,
        is_disabled=row.is_disabled,
        current_version=CurrentVersion(
            created=to_text(row.changed),
            creator_token=creator,
            change_description=row.change_description,
            version_identifier=row.version_identifier,
        ),
        configuration=msgspec.Raw(row.configuration) if "configuration" in include else UNSET,
        state=msgspec.Raw(row.state) if "state" in include else UNSET,
        rows=[] if "rows" in include else UNSET,
        rows_sort_order=[] if "rows" in include else UNSET,
    )
