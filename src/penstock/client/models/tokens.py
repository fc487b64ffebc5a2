"""Storage tokens."""

from __future__ import annotations

from penstock.foundation.structs import Wire


class NewToken(Wire, frozen=True, omit_defaults=True):
    """A token to create. Its only permissions: read or write buckets, run components."""

    description: str = ""
    bucket_permissions: dict[str, str] = {}
    component_access: list[str] = []
    can_manage_buckets: bool = False
    expires_in: int | None = None
    """Seconds."""


class Admin(Wire, frozen=True):
    """The member of the project that a token belongs to."""

    role: str = "admin"


class Token(Wire, frozen=True):
    id: str
    description: str = ""
    created: str | None = None
    expires: str | None = None
    is_master_token: bool = False
    is_expired: bool = False
    can_manage_buckets: bool = False
    can_manage_tokens: bool = False
    can_create_jobs: bool = False
    bucket_permissions: dict[str, str] = {}
    component_access: list[str] = []
    admin: Admin | None = None
    token: str | None = None
    """The secret; only in the response that created it."""
