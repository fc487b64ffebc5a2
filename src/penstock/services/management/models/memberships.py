"""Members of projects, invitations and join requests, as stored, requested and returned."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.management.models.people import Level, Role
from penstock.services.management.models.tokens import MadeToken
from penstock.services.management.models.users import UserRef
from penstock.services.management.models.wire import Ref, Seconds, ShortText


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    level: Level
    owner_id: int
    user_id: int
    creator_id: int
    """0 for programs of the operator."""
    role: Role = "admin"
    reason: str = ""
    created: datetime
    expires: datetime | None = None
    """When the membership ends."""
    valid_until: datetime | None = None
    """Until when the link of the e-mail works."""
    code_hash: bytes | None = None
    """Of the code in the link; None once it was used."""


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    user_id: int
    reason: str = ""
    created: datetime
    expires: datetime | None = None


class NewMember(Wire, frozen=True, kw_only=True):
    """A user to add or to invite to a project."""

    email: str
    """E-mail address of the user."""
    role: Role = "admin"
    """What the member may do in the project."""
    expiration_seconds: Seconds | None = None
    """Seconds until the membership ends. Without it, it never does."""
    reason: ShortText = ""
    """Why the user is added."""


class MemberChange(Wire, frozen=True, kw_only=True):
    role: Role | UnsetType = UNSET
    """New role."""
    can_approve_merge_requests: bool | UnsetType = UNSET
    """Whether the member may approve merge requests. It is stored and returned."""


class RemovedMember(Wire, frozen=True, kw_only=True):
    tokens: list[MadeToken]
    """Those that the member has made for programs."""
    are_tokens_revoked: bool


class NewInvitation(Wire, frozen=True, kw_only=True):
    """An invitation to a maintainer or an organization."""

    email: str
    """E-mail address of the user to invite."""


class AccessRequest(Wire, frozen=True, kw_only=True):
    reason: ShortText = ""
    """Why the user asks, for the administrators of the project."""
    expiration_seconds: Seconds | None = None
    """Seconds until the membership would end. Without it, it never does."""


class InvitationCode(Wire, frozen=True, kw_only=True):
    """The code in the link of an e-mail."""

    code: str
    """The code in the link of the e-mail."""


class MemberView(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    email: str
    features: list[str]
    expires: str | None
    created: str
    reason: str
    role: Role
    status: str
    invitor: UserRef | None
    approver: UserRef | None
    can_approve_merge_requests: bool | UnsetType = UNSET


class InvitationView(Wire, frozen=True, kw_only=True):
    """To a maintainer or an organization."""

    id: int
    created: str
    user: UserRef
    creator: UserRef


class ProjectInvitationView(InvitationView, frozen=True, kw_only=True):
    expires: str | None
    reason: str
    role: Role | UnsetType = UNSET


class JoinRequestView(Wire, frozen=True, kw_only=True):
    id: int
    created: str
    expires: str | None
    reason: str
    user: UserRef


class OwnJoinRequestView(Wire, frozen=True, kw_only=True):
    id: int
    created: str
    expires: str | None
    reason: str
    project: Ref


class OwnInvitationView(Wire, frozen=True, kw_only=True):
    """An invitation as the invited user sees it. One of `project`, `organization` and `maintainer` is set."""

    id: int
    created: str
    creator: UserRef
    expires: str | UnsetType | None = UNSET
    reason: str | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    project: Ref | UnsetType = UNSET
    organization: Ref | UnsetType = UNSET
    maintainer: Ref | UnsetType = UNSET


class AcceptedInvitation(Wire, frozen=True, kw_only=True):
    """What the user is a member of now."""

    level: Level
    id: int
    name: str
