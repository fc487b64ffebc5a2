"""Components as the index and the lists return them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.components.component import Component
from penstock.foundation.limits import Searched
from penstock.foundation.structs import Wire
from penstock.services.storage.models.configurations import Configuration
from penstock.services.storage.models.metadata import Metadata


class ComponentsQuery(Wire, frozen=True):
    """`include` is a comma-separated list of configuration, rows, state."""

    component_type: str = ""
    """Only components of this type, such as `extractor`, `transformation` or `writer`."""
    include: str = ""
    """Comma-separated parts of the configurations to return as well: `configuration`, `rows` and `state`."""
    is_deleted: bool = False
    """Whether the configurations in the trash are listed, instead of the others."""

    @property
    def members(self) -> frozenset[str]:
        return frozenset(self.include.split(","))


class ComponentSummary(Wire, frozen=True, kw_only=True):
    """The short form of a component in lists."""

    id: str
    name: str
    type: str
    description: str
    flags: list[str] = []
    categories: list[str] = []
    features: list[str] = []


class ComponentView(ComponentSummary, frozen=True, kw_only=True):
    uri: str
    long_description: str = ""
    has_ui: bool = msgspec.field(default=False, name="hasUI")
    has_run: bool = True
    data: dict[str, Any] = {}
    configuration_schema: dict[str, Any] = {}
    editor_schema: dict[str, Any] | UnsetType = UNSET
    """What forms and editors use, of a component whose configuration schema is empty for other programs."""
    configuration_row_schema: dict[str, Any] = {}
    empty_configuration: dict[str, Any] = {}
    empty_configuration_row: dict[str, Any] = {}
    ui_options: dict[str, Any] = {}
    data_types_configuration: dict[str, Any] = {}
    configuration_description: str = ""
    documentation_url: str = ""
    ico32: str = ""
    ico64: str = ""
    version: int = 1
    configurations: list[Configuration] | UnsetType = UNSET


class SearchQuery(Wire, frozen=True, forbid_unknown_fields=True):
    """Unknown parameters are refused: ignoring a condition would return too much."""

    id_component: str = ""
    """Only configurations of this component."""
    configuration_id: str = ""
    """Only the configuration with this id."""
    metadata_keys: Searched[str] | str = []
    """Only configurations that have one of these metadata keys."""
    include: str = ""
    """`filteredMetadata` returns the matching metadata, and leaves out configurations without any."""

    @property
    def keys(self) -> frozenset[str]:
        given = [self.metadata_keys] if isinstance(self.metadata_keys, str) else self.metadata_keys
        return frozenset(key for key in given if key)


class Found(Wire, frozen=True):
    """A configuration that matches a search."""

    id_component: str
    configuration_id: str
    metadata: list[Metadata] | UnsetType = UNSET


def summarize_component(component: Component) -> ComponentSummary:
    return ComponentSummary(
        id=component.id,
        name=component.name,
        type=component.type,
        description=component.description,
        flags=list(component.flags),
        categories=list(component.categories),
        features=list(component.features),
    )


def component_view(component: Component, storage_url: str) -> ComponentView:
    """The public form, so without the parameters of its image, which only the operator sees."""
    return ComponentView(
        id=component.id,
        name=component.name,
        type=component.type,
        description=component.description,
        uri=f"{storage_url}/v2/storage/components/{component.id}",
        long_description=component.documentation or component.long_description,
        has_run=component.is_runnable,
        flags=list(component.flags),
        categories=list(component.categories),
        features=list(component.features),
        data=_data_view(component),
        configuration_schema=component.configuration_schema,
        editor_schema=component.editor_schema or UNSET,
        configuration_row_schema=component.configuration_row_schema,
        empty_configuration=component.empty_configuration,
        empty_configuration_row=component.empty_configuration_row,
        data_types_configuration=_data_types_view(component),
        configuration_description=component.configuration_description,
        documentation_url=component.documentation_url,
        ico32=component.icons[0],
        ico64=component.icons[1],
        version=component.version,
    )


def _data_types_view(component: Component) -> dict[str, str]:
    return {"dataTypesSupport": component.data_type_support} if component.data_type_support else {}


def _data_view(component: Component) -> dict[str, Any]:
    """How it is run, in the field names that runners expect."""
    return {
        "definition": _definition_view(component),
        "memory": f"{component.memory_megabytes}m",
        "process_timeout": component.timeout_seconds,
        "configuration_format": "json",
        "network": component.network,
        "default_bucket": component.default_bucket,
        "default_bucket_stage": component.default_bucket_stage,
        "staging_storage": {"input": "local", "output": "local"},
        "logging": msgspec.to_builtins(component.logging),
        "synchronous_actions": list(component.synchronous_actions),
        "image_parameters": {},
        "forward_token": component.forward_token,
        "forward_token_details": component.forward_token_details,
        "inject_environment": False,
    }


def _definition_view(component: Component) -> dict[str, str]:
    if component.archive:
        return {"type": "archive", "uri": f"sha256:{component.archive.sha256}", "tag": component.tag}
    kind = "dockerhub" if component.image else "process"
    place = {"type": kind, "uri": component.image or component.module or component.id, "tag": component.tag}
    return {**place, "digest": component.digest} if component.digest else place
