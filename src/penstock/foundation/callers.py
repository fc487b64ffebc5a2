"""The caller of a request, and its permissions."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import ClassVar

import msgspec

CALLERS = "callers"
"""The name of the counter that is incremented whenever permissions of a token change or it is revoked
(ids.count_change)."""


STORAGE_TOKEN = "storage token"  # noqa: S105
"""The scheme whose callers work in a project."""


ADMIN, GUEST, READ_ONLY, SHARE = "admin", "guest", "readOnly", "share"
"""The roles of members of a project."""
READING_ROLES = (GUEST, READ_ONLY)


class Right(Enum):
    """The permission that a route requires; each row of a route table names one, or one of its service."""

    PUBLIC = "anyone, without a token"
    TOKEN = "any valid token of the project"  # noqa: S105
    MANAGE_TOKENS = "a token that may manage tokens"
    MANAGE_BUCKETS = "a token that may manage all buckets"
    CREATE_JOBS = "a token that may create jobs"
    MASTER = "the master token of an administrator"
    SHARE_BUCKETS = "a master token; if it is a member's, one with the role share or of the organization"
    SUPER = "a super administrator, or a manage token with the scope super"
    USER = "a user, by a manage token"
    MAINTAINER = "a member of the maintainer, or a super administrator"
    READ_ORGANIZATION = "a member of the organization or of its maintainer, or a super administrator"
    MANAGE_ORGANIZATION = (
        "a member of the organization, one of its maintainer if it allows that, or a super administrator"
    )
    READ_PROJECT = "a member of the project, of its organization or of its maintainer, or a super administrator"
    READ_MEMBERS = (
        "a member of the project who is not a guest, one of its organization or of its maintainer, "
        "or a super administrator"
    )
    MANAGE_PROJECT = (
        "an administrator of the project, a member of its organization or maintainer if it allows that, "
        "or a super administrator"
    )
    SAME_USER = "the user itself, or a super administrator"

    @property
    def granted_by(self) -> str:
        """The fields of a token that grant it, for refusals; empty if the right is not granted by a field alone."""
        if self is Right.CREATE_JOBS:
            return "`canCreateJobs`, `canManageBuckets`, or `componentAccess` with the component"
        return ""

    @property
    def is_of_manage_token(self) -> bool:
        """Whether only a manage token can have it."""
        return self in (Right.SUPER, Right.USER) or self.is_of_object

    @property
    def is_of_object(self) -> bool:
        """Whether it depends on what the path of the request names: the scheme checks it (Scheme.check_object)."""
        return self in OF_OBJECTS


OF_OBJECTS = (
    *(Right.MAINTAINER, Right.READ_ORGANIZATION, Right.MANAGE_ORGANIZATION),
    *(Right.READ_PROJECT, Right.READ_MEMBERS, Right.MANAGE_PROJECT, Right.SAME_USER),
)


class ServiceRight(msgspec.Struct, frozen=True):
    """A permission for rows of one service, which declares it (Service.rights)."""

    name: str
    value: str
    """Who has it, as refusals and the specification show it."""
    scope: str = ""
    """The scope of manage tokens that grants it; empty if another scheme does."""
    granted_by: ClassVar[str] = ""
    is_of_object: ClassVar[bool] = False


AnyRight = Right | ServiceRight


def of_scope(name: str, scope: str) -> ServiceRight:
    """The right that manage tokens with a scope have."""
    return ServiceRight(name, f"a manage token with the scope {scope}", scope)


class Origin(msgspec.Struct, frozen=True):
    """Where a request came from, and which client sent it, as it declares."""

    address: str = ""
    user_agent: str = ""
    referer: str = ""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Who sent a request, as the authentication scheme of the service has established."""

    scheme: str
    """The name of that scheme."""
    project_id: int
    """0 for callers that do not belong to one project."""
    token_id: int
    """Of the credential. Callers with the same ids share their idempotency keys."""
    description: str
    expires: datetime | None = None
    """When the credential expires."""
    grants_until: datetime | None = None
    """When the tokens that it creates expire at the latest: it was sent with a personal access token that expires."""
    run_id: str | None = None
    """The run id that the client sent with its requests."""
    origin: Origin | None = None
    """None for work that continues after its request."""

    def has(self, right: AnyRight) -> bool:
        """Whether it has this right. A row with a right that no caller of its scheme has is refused at the start."""
        return right in (Right.PUBLIC, Right.TOKEN)


class SignedIn(Identity, frozen=True, kw_only=True):
    """A caller by any other scheme than a Storage token: a manager, a person, a sender."""

    subject: str
    """What the service that issues the credential calls this caller."""
    rights: frozenset[AnyRight] = frozenset()
    """What its credential allows besides signing in. One that is of objects is had for some of them."""
    scopes: frozenset[str] = frozenset()
    """Those of its manage token, which grant rights of services."""
    user_id: int = 0
    """The user that the credential belongs to; 0 for programs of the operator."""

    def has(self, right: AnyRight) -> bool:
        is_granted = isinstance(right, ServiceRight) and right.scope in self.scopes
        return is_granted or right in self.rights or super().has(right)


class Caller(Identity, frozen=True, kw_only=True):
    """The project and the Storage token of an authenticated request, with the permissions of the token."""

    scheme: str = STORAGE_TOKEN
    branch_id: int
    is_master: bool = False
    can_manage_buckets: bool = False
    can_manage_tokens: bool = False
    can_create_jobs: bool = False
    can_read_all_files: bool = False
    can_purge_trash: bool = False
    bucket_permissions: dict[str, str] = {}
    component_access: tuple[str, ...] = ()
    role: str = ADMIN
    """Of the member that the token belongs to; tokens of programs are limited by their permissions only."""
    user_id: int = 0
    """The member that the token belongs to; 0 for tokens of programs."""
    main_branch_id: int = 0
    has_storage_branches: bool = False
    """Whether each branch of the project has separate buckets, tables and files: the feature `storage-branches`."""
    sign_in_id: int = 0
    """Of a person: the sign-in, or the personal access token, that the request was sent with. Work that goes on after
    the request asks whether it was revoked since."""
    ends_with_sign_in: bool = False
    """Whether passwords and signatures that it gets end with that: it was sent with a personal access token, or by a
    program that a person has let into the project."""
    may_share: bool = True
    """Whether it shares buckets with other projects, if it is a master token. Of members: those with the role `share`,
    and administrators who are members of the organization."""
    may_get_tokens: bool = True
    """Whether it is told the secrets of tokens. A program that a person has let into a project is not: they would
    outlive what the person allowed."""
    is_pay_as_you_go: bool = False
    """Whether the project needs credits to start jobs: the feature `pay-as-you-go`."""

    @property
    def branch_type(self) -> str:
        """The kind of its branch, as ciphers name it."""
        return "default" if self.branch_id == self.main_branch_id else "dev"

    @property
    def only_reads(self) -> bool:
        """Whether its role refuses every row that writes."""
        return self.role in READING_ROLES

    def has(self, right: AnyRight) -> bool:
        if self.role == GUEST and right in (Right.MANAGE_TOKENS, Right.MASTER):
            return False
        if right is Right.MANAGE_TOKENS:
            return self.is_master or self.can_manage_tokens
        if right is Right.MANAGE_BUCKETS:
            return self.sees_all_buckets
        if right is Right.CREATE_JOBS:
            return self.sees_all_buckets or self.can_create_jobs or bool(self.component_access)
        if right is Right.MASTER:
            return self.is_master
        if right is Right.SHARE_BUCKETS:
            return self.is_master and self.may_share
        return super().has(right)

    def may_use_component(self, component_id: str) -> bool:
        return self.sees_all_buckets or component_id in self.component_access

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
    def sees_all_buckets(self) -> bool:
        return self.is_master or self.can_manage_buckets


AnyCaller = Caller | SignedIn

NOBODY = Caller(scheme="none", project_id=0, branch_id=0, token_id=0, description="nobody")
"""Who sends requests to public rows."""
