"""What Encryption receives and returns."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
"""Of a thing that need not exist. An empty one is refused: without it, the cipher would be less limited."""


class EncryptQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_id: Id | None = None
    project_id: Id | None = None
    config_id: Id | None = None
    branch_type: Literal["default", "dev"] | None = None


class NewMigration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    source_storage_api_token: Id
    destination_stack: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    """The host of its Storage, such as `connection.example.com`, or an address."""
    destination_storage_api_token: Id
    component_id: Id
    config_id: Id
    branch_id: Id | int
    """Of the source."""


class MigratedConfiguration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    destination_stack: str
    component_id: str
    config_id: str
    branch_id: str


class Migration(msgspec.Struct, frozen=True, kw_only=True):
    message: str
    data: MigratedConfiguration
    warnings: list[str]


class Description(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    app_name: str
    app_version: str
    api_docs: str
