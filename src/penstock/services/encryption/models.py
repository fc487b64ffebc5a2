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


class Description(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    app_name: str
    app_version: str
    api_docs: str
