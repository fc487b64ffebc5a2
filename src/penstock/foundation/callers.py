"""The caller of a request, and its permissions."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

import msgspec

CALLERS = "callers"
"""The name of the counter that is incremented whenever permissions of a token change or it is revoked
(ids.count_change)."""


class Right(Enum):
    """The permission that a route requires; each row of a route table names one."""

    PUBLIC = "anyone, without a token"
    TOKEN = "any valid token of the project"  # noqa: S105
    MANAGE_TOKENS = "a token that may manage tokens"
    MANAGE_BUCKETS = "a token that may manage all buckets"
    CREATE_JOBS = "a token that may create jobs"


class Origin(msgspec.Struct, frozen=True):
    """Where a request came from, and which client sent it, as it declares."""

    address: str = ""
    user_agent: str = ""
    referer: str = ""


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """The project and the token of an authenticated request, with the token's permissions."""

    project_id: int
    branch_id: int
    token_id: int
    description: str
    is_master: bool = False
    can_manage_buckets: bool = False
    can_manage_tokens: bool = False
    can_create_jobs: bool = False
    can_read_all_files: bool = False
    can_purge_trash: bool = False
    bucket_permissions: dict[str, str] = {}
    component_access: tuple[str, ...] = ()
    main_branch_id: int = 0
    has_storage_branches: bool = False
    """Whether each branch of the project has separate buckets, tables and files: the feature `storage-branches`."""
    run_id: str | None = None
    """The run id that the client sent with its requests."""
    expires: datetime | None = None
    """When the token expires."""
    origin: Origin | None = None
    """None for work that continues after its request."""

    def has(self, right: Right) -> bool:
        if right is Right.MANAGE_TOKENS:
            return self.is_master or self.can_manage_tokens
        if right is Right.MANAGE_BUCKETS:
            return self.sees_all_buckets
        if right is Right.CREATE_JOBS:
            return self.is_master or self.can_create_jobs or bool(self.component_access)
        return True

    def may_use_component(self, component_id: str) -> bool:
        return self.sees_all_buckets or component_id in self.component_access

    def may_read_bucket(self, bucket_id: str) -> bool:
        return self.sees_all_buckets or bucket_id in self.bucket_permissions

    def may_write_bucket(self, bucket_id: str) -> bool:
        return self.sees_all_buckets or self.bucket_permissions.get(bucket_id) in ("write", "manage")

    @property
    def storage_branch_id(self) -> int:
        """The branch of buckets and tables: the requested one if branches have separate storage, else Main."""
        return self.branch_id if self.has_storage_branches else self.main_branch_id

    @property
    def has_own_storage(self) -> bool:
        """Whether this is a development branch with separate storage."""
        return self.storage_branch_id != self.main_branch_id

    @property
    def branch_filter(self) -> int | None:
        """The branch whose files and events are listed; None if all branches share them."""
        return self.branch_id if self.has_storage_branches else None

    def in_main(self) -> Caller:
        """The same caller in the default branch."""
        return msgspec.structs.replace(self, branch_id=self.main_branch_id)

    @property
    def may_read_all_files(self) -> bool:
        return self.is_master or self.can_read_all_files

    @property
    def may_purge_trash(self) -> bool:
        return self.is_master or self.can_purge_trash

    @property
    def sees_all_buckets(self) -> bool:
        return self.is_master or self.can_manage_buckets
