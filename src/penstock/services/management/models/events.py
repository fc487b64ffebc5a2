"""What Management publishes."""

from __future__ import annotations

from typing import ClassVar

from penstock.foundation.events import Event


class MemberRemoved(Event, frozen=True, kw_only=True):
    """A user is not a member of the project any more."""

    name: ClassVar[str] = "management.memberRemoved"
    user_id: int


class ProjectDisabled(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "management.projectDisabled"


class ProjectDeleted(Event, frozen=True, kw_only=True):
    """It can be restored until it is purged."""

    name: ClassVar[str] = "management.projectDeleted"


class ProjectRestored(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "management.projectRestored"


class ProjectMoved(Event, frozen=True, kw_only=True):
    """It belongs to another organization from now on."""

    name: ClassVar[str] = "management.projectMoved"
    organization_id: int


class ProjectPurged(Event, frozen=True, kw_only=True):
    """Each service removes everything that it has of the project."""

    name: ClassVar[str] = "management.projectPurged"


SEALED_FOR = "invitation code"


class InvitationCreated(Event, frozen=True, kw_only=True):
    """`project_id` is 0 if it is an invitation to an organization or a maintainer."""

    name: ClassVar[str] = "management.invitationCreated"
    invitation_id: int
    email: str
    invitor: str
    """Who invited, as the e-mail says it."""
    level: str
    to: str
    """The name of the project, organization or maintainer."""
    sealed_code: str
    """The code of the link, encrypted by the cipher of the stack for SEALED_FOR."""


RESET_SEALED_FOR = "password reset code"


class PasswordResetRequested(Event, frozen=True, kw_only=True):
    """Somebody has forgotten a password. Published for every address, so that the request takes as long for each."""

    name: ClassVar[str] = "management.passwordResetRequested"
    user_id: int
    """0 if no user with a password has the address: then nothing is sent."""
    email: str
    minutes: int
    """For which the link works."""
    sealed_code: str
    """The code of the link, encrypted by the cipher of the stack for RESET_SEALED_FOR."""
