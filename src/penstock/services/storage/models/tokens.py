"""Tokens as they are kept, asked for and shown."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from penstock.services.storage.models import TokenRef, Wire

SECONDS_IN_A_CENTURY = 100 * 366 * 86_400


class TokenRow(msgspec.Struct, frozen=True, kw_only=True):
    """A token as it is kept: its secret only as a hash."""

    id: int
    project_id: int
    secret_hash: bytes
    description: str
    is_master: bool
    can_manage_buckets: bool
    can_manage_tokens: bool
    can_create_jobs: bool
    bucket_permissions: dict[str, str]
    component_access: list[str]
    created: datetime
    refreshed: datetime
    expires: datetime | None = None
    creator_id: int | None = None
    creator_description: str | None = None


class NewToken(Wire, frozen=True):
    description: str = ""
    bucket_permissions: dict[str, str] = {}
    component_access: list[str] = []
    can_manage_buckets: bool = False
    can_create_jobs: bool = False
    expires_in: Annotated[int, msgspec.Meta(ge=1, le=SECONDS_IN_A_CENTURY)] | None = None


class Limit(msgspec.Struct, frozen=True):
    name: str
    value: int


class Owner(Wire, frozen=True):
    """The project a token belongs to. The embedded engine presents itself as `snowflake`: clients know no other."""

    id: int
    name: str
    created: str
    features: tuple[str, ...] = ("queuev2",)
    default_backend: str = "snowflake"
    assigned_backends: tuple[str, ...] = ("snowflake",)
    has_snowflake: bool = True
    has_mysql: bool = False
    has_synapse: bool = False
    has_redshift: bool = False
    has_exasol: bool = False
    has_teradata: bool = False
    has_bigquery: bool = False
    file_storage_provider: str = "azure"
    limits: dict[str, Limit] = {}
    metrics: dict[str, Limit] = {}
    is_disabled: bool = False
    type: str = "production"
    region: str = "local"


class Admin(Wire, frozen=True):
    id: int
    name: str
    role: str = "admin"
    features: list[str] = []
    is_organization_member: bool = True
    is_activated: bool = True


class Organization(msgspec.Struct, frozen=True):
    id: str


class Token(Wire, frozen=True):
    """A token as clients see it; the secret only in the answer that made it, or to whoever proved to have it."""

    id: str
    description: str
    created: str
    refreshed: str
    expires: str | None
    uri: str
    is_master_token: bool
    can_manage_buckets: bool
    can_manage_tokens: bool
    can_create_jobs: bool
    can_read_all_file_uploads: bool
    can_purge_trash: bool
    can_manage_protected_default_branch: bool
    is_expired: bool
    bucket_permissions: dict[str, str]
    component_access: list[str]
    is_disabled: bool = False
    daily_capacity: int = 0
    token: str | UnsetType = UNSET
    creator_token: TokenRef | UnsetType = UNSET
    admin: Admin | UnsetType = UNSET
    organization: Organization | UnsetType = UNSET
    owner: Owner | UnsetType = UNSET
