"""Components as the index and the lists show them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.components.component import Component
from penstock.services.storage.models import Wire
from penstock.services.storage.models.configurations import Configuration
from penstock.services.storage.models.metadata import Metadata


class ComponentsQuery(Wire, frozen=True):
    """`include` is a comma list of configuration, rows, state."""

    component_type: str = ""
    include: str = ""
    is_deleted: bool = False

    @property
    def members(self) -> frozenset[str]:
        return frozenset(self.include.split(","))


class ComponentView(Wire, frozen=True):
    id: str
    name: str
    type: str
    description: str
    uri: str
    long_description: str = ""
    has_ui: bool = msgspec.field(default=False, name="hasUI")
    has_run: bool = True
    flags: list[str] = []
    categories: list[str] = []
    features: list[str] = []
    data: dict[str, Any] = {}
    configuration_schema: dict[str, Any] = {}
    configuration_row_schema: dict[str, Any] = {}
    empty_configuration: dict[str, Any] = {}
    empty_configuration_row: dict[str, Any] = {}
    ui_options: dict[str, Any] = {}
    configuration_description: str = ""
    configurations: list[Configuration] | UnsetType = UNSET


class SearchQuery(Wire, frozen=True, forbid_unknown_fields=True):
    """What is not known here is refused: a search that leaves a condition out would find too much."""

    id_component: str = ""
    configuration_id: str = ""
    metadata_keys: list[str] | str = []
    include: str = ""

    @property
    def keys(self) -> frozenset[str]:
        given = [self.metadata_keys] if isinstance(self.metadata_keys, str) else self.metadata_keys
        return frozenset(key for key in given if key)


class Found(Wire, frozen=True):
    """A configuration that a search has found."""

    id_component: str
    configuration_id: str
    metadata: list[Metadata] | UnsetType = UNSET


def show_component(component: Component, storage_url: str) -> ComponentView:
    return ComponentView(
        id=component.id,
        name=component.name,
        type=component.type,
        description=component.description,
        uri=f"{storage_url}/v2/storage/components/{component.id}",
    )
