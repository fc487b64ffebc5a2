"""What Encryption receives and returns."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
"""Of a thing that need not exist. An empty one is refused: without it, the cipher would be less limited."""


class EncryptQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_id: Id | None = None
    """Id of the component that alone can decrypt the ciphers. It need not exist."""
    project_id: Id | None = None
    """Id of the project in which alone they are decrypted."""
    config_id: Id | None = None
    """Id of the configuration in which alone they are decrypted. Together with `componentId` and `projectId`."""
    branch_type: Literal["default", "dev"] | None = None
    """`default`: they are decrypted only in Main; `dev`: only in other branches. Together with `projectId`."""


class NewMigration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    source_storage_api_token: Id
    """Storage token of the project that has the configuration."""
    destination_stack: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    """Host of Storage of the other stack, such as `connection.example.com`, or its address."""
    destination_storage_api_token: Id
    """Storage token of the project that gets the configuration."""
    component_id: Id
    """Id of the component."""
    config_id: Id
    """Id of the configuration."""
    branch_id: Id | int
    """Id of the branch of the source."""


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
