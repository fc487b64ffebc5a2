"""What Sandboxes receives and returns."""

from __future__ import annotations

from typing import Annotated

import msgspec

MAX_TYPES = 20
Type = Annotated[str, msgspec.Meta(max_length=100)]


class AppsQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`type` may be repeated."""

    offset: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100
    component_id: str = ""
    """Only apps of this component."""
    branch_id: str = ""
    """Only apps of this branch."""
    type: Annotated[list[Type], msgspec.Meta(max_length=MAX_TYPES)] | Type = []
    """Only apps of this type. It may be repeated."""


class App(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    type: str
    project_id: str
    component_id: str
    branch_id: str | None
    config_id: str
    config_version: str
    state: str
    desired_state: str
    mode: str
    last_request_timestamp: str | None
    last_start_timestamp: str | None
    url: str | None
    auto_suspend_after_seconds: int
    auto_restart_enabled: bool
    size: str | None
    provisioning_strategy: str
    has_managed_git_repo: bool
