"""A project as stored."""

from __future__ import annotations

from datetime import datetime

import msgspec

STORAGE_BRANCHES = "storage-branches"
NATIVE_TYPES = "native-types"
PAY_AS_YOU_GO = "pay-as-you-go"
FEATURES = (STORAGE_BRANCHES, NATIVE_TYPES, PAY_AS_YOU_GO)
"""The features of projects that this program knows, and that can be enabled without being created first."""
ALWAYS_ON = ("queuev2",)
"""Jobs run on the newer kind of queue, the only one here."""
FIRST_ORGANIZATION = 1
"""The one that every stack begins with."""


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
