"""Tokens as stored, requested and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.callers import READING_ROLES, SHARE
from penstock.foundation.events import Event
from penstock.foundation.limits import PERMISSIONS, Permissions
from penstock.foundation.structs import Wire
from penstock.services.management.interface import Limit, ProjectState
from penstock.services.storage.models import TokenRef

SECONDS_IN_A_CENTURY = 100 * 366 * 86_400
Seconds = Annotated[int, msgspec.Meta(ge=1, le=SECONDS_IN_A_CENTURY)]

BucketPermissions = Annotated[dict[str, str], msgspec.Meta(max_length=PERMISSIONS)]


class TokenRow(msgspec.Struct, frozen=True, kw_only=True):
    """A token as stored: its secret only as a hash."""

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
    can_read_all_files: bool = False
    can_purge_trash: bool = False
    user_id: int | None = None
    """The member of the project that it belongs to; None for tokens of programs."""
    creator_user_id: int | None = None
    """The user who has made it, with a token of a member or with the Manage API; None if a program has."""
    shared_hashes: list[str] = []
    """Of the secrets that were sent by e-mail, which are valid beside its own."""


class HeldToken(TokenRow, frozen=True, kw_only=True):
    """A token, the main branch of its project, the role of its member, and the state of its project."""

    main_branch_id: int
    features: list[str]
    """Of the project, those that are enabled."""
    role: str | None
    """Of the member that it belongs to; None if it belongs to a program, or to a user who is not a member any more."""
    member_until: datetime | None
    is_of_organization: bool
    """Whether its user is a member of the organization of the project."""
    is_disabled: bool
    disable_reason: str | None
    enabled_again: datetime | None
    project_until: datetime | None
    deleted: datetime | None

    @property
    def state(self) -> ProjectState:
        return ProjectState(
            project_id=self.project_id,
            is_disabled=self.is_disabled,
            disable_reason=self.disable_reason,
            enabled_again=self.enabled_again,
            expires=self.project_until,
            deleted=self.deleted,
        )

    @property
    def only_reads(self) -> bool:
        return self.role in READING_ROLES

    @property
    def may_share(self) -> bool:
        return self.user_id is None or self.role == SHARE or self.is_of_organization

    @property
    def ends(self) -> datetime | None:
        """When the first of the token, the membership and the project expires."""
        return min((each for each in (self.expires, self.member_until, self.project_until) if each), default=None)


class NewToken(Wire, frozen=True):
    description: str = ""
    """What the token is for, as lists show it."""
    bucket_permissions: BucketPermissions = {}
    """`read` or `write`, by the id of the bucket."""
    component_access: Permissions[str] = []
    """Ids of the components whose configurations the token may use."""
    can_manage_buckets: bool = False
    """Whether the token may create and delete buckets, and read and write all of them."""
    can_create_jobs: bool = False
    """Whether the token may run jobs."""
    can_read_all_file_uploads: bool = False
    """Whether the token may read all files of the project, and not only its own."""
    can_purge_trash: bool = False
    """Whether the token may delete configurations in the trash permanently."""
    expires_in: Seconds | None = None
    """Seconds until the token expires. Without it, it never does."""


class TokenChange(Wire, frozen=True):
    """Changes of a token; fields that are not set stay unchanged."""

    description: str | UnsetType = UNSET
    """New description."""
    bucket_permissions: BucketPermissions | UnsetType = UNSET
    """`read` or `write`, by the id of the bucket. They replace those before."""
    component_access: Permissions[str] | UnsetType = UNSET
    """Ids of the components whose configurations the token may use. They replace those before."""
    can_manage_buckets: bool | UnsetType = UNSET
    """Whether the token may create and delete buckets, and read and write all of them."""
    can_create_jobs: bool | UnsetType = UNSET
    """Whether the token may run jobs."""
    can_read_all_file_uploads: bool | UnsetType = UNSET
    """Whether the token may read all files of the project, and not only its own."""
    can_purge_trash: bool | UnsetType = UNSET
    """Whether the token may delete configurations in the trash permanently."""
    expires_in: Seconds | UnsetType = UNSET
    """Seconds from now until the token expires."""


class TokenShare(Wire, frozen=True):
    recipient_email: str = ""
    """E-mail address of the recipient. Required."""
    message: str = ""
    """A message to the recipient, of at most 1000 characters."""


SHARE_SEALED_FOR = "shared token"


class TokenShared(Event, frozen=True, kw_only=True):
    """A token is sent to somebody by e-mail."""

    name: ClassVar[str] = "storage.tokenShared"
    email: str
    sender: str
    """Who sends it, as the e-mail says it."""
    project_name: str
    description: str
    """Of the token."""
    expires: datetime | None
    message: str
    sealed_token: str
    """The text of the token, encrypted by the cipher of the stack for SHARE_SEALED_FOR."""


class Owner(Wire, frozen=True):
    """The project a token belongs to. The embedded engine is presented as `snowflake`, the only one that clients
    know."""

    id: int
    name: str
    created: str
    rows_count: int
    """Of all its tables, as `data_size_bytes`."""
    data_size_bytes: int
    features: tuple[str, ...]
    expires: str | None = None
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
    has_try_mode_on: str = "0"
    billed_monthly_price: str | None = None
    data_retention_time_in_days: int = 7
    """For how long old versions of tables can be restored."""
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
    """A token as clients see it; the secret is in the response that created it, and in responses to a caller who sent
    it."""

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
