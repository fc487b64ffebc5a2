"""A project as stored."""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.foundation import clock

STORAGE_BRANCHES = "storage-branches"
NATIVE_TYPES = "native-types"
PAY_AS_YOU_GO = "pay-as-you-go"
FEATURES = (STORAGE_BRANCHES, NATIVE_TYPES, PAY_AS_YOU_GO)
"""The features of projects that this program knows, and that can be enabled without being created first."""
ALWAYS_ON = ("queuev2", "global-search")
"""Of every project: jobs run on the newer kind of queue, the only one here, and Storage answers `global-search`."""
FIRST_ORGANIZATION = 1
"""The one that every stack begins with."""


class ProjectState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a project can be used now."""

    project_id: int
    is_disabled: bool = False
    disable_reason: str | None = None
    enabled_again: datetime | None = None
    expires: datetime | None = None
    deleted: datetime | None = None

    @property
    def problem(self) -> str | None:
        """Why it cannot be used; None if it can."""
        if self.deleted:
            return f"Project {self.project_id} was deleted. Ask the administrator of its organization to restore it."
        if self.is_disabled:
            reason = f": {self.disable_reason.rstrip('.')}" if self.disable_reason else ""
            again = (
                f" It is expected to be enabled again at {self.enabled_again:%F %T} UTC." if self.enabled_again else ""
            )
            return f"Project {self.project_id} is disabled{reason}.{again}"
        if self.expires and self.expires <= clock.now():
            return (
                f"Project {self.project_id} expired on {self.expires:%F}. "
                "Ask the administrator of its organization to extend it."
            )
        return None


class Project(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    created: datetime
    features: list[str] = []
    """The enabled ones."""
    organization_id: int = FIRST_ORGANIZATION
    type: str = "production"
    default_backend: str = "snowflake"
    data_retention_days: int = 7
    has_try_mode: bool = False
    limits: dict[str, float] = {}
    """By name; those that are enforced are in limits.py."""
    is_disabled: bool = False
    disable_reason: str | None = None
    enabled_again: datetime | None = None
    """When it is expected to be, as whoever disabled it said."""
    timezone: str | None = None
    billed_monthly_price: str | None = None
    expires: datetime | None = None
    deleted: datetime | None = None
    purged: datetime | None = None

    @property
    def active_features(self) -> tuple[str, ...]:
        """The features that clients and components see."""
        return (*ALWAYS_ON, *self.features)

    @property
    def state(self) -> ProjectState:
        return ProjectState(
            project_id=self.id,
            is_disabled=self.is_disabled,
            disable_reason=self.disable_reason,
            enabled_again=self.enabled_again,
            expires=self.expires,
            deleted=self.deleted,
        )
