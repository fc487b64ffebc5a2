"""Users, and their memberships in maintainers, organizations and projects, as stored."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

Level = Literal["maintainer", "organization", "project"]
"""What one can be a member of."""
Role = Literal["admin", "guest", "readOnly", "share"]
"""What a member of a project may do; members of organizations and maintainers are administrators of them."""
ADMINISTRATORS: tuple[Role, ...] = ("admin", "share")
"""Those who administer the project; `share` shares its buckets with other projects as well."""
ROLES: tuple[Role, ...] = ("admin", "guest", "readOnly", "share")


class User(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    email: str
    """In lower case; nobody else has it."""
    name: str
    created: datetime
    is_super_admin: bool = False
    can_access_logs: bool = False
    features: list[str] = []
    mfa_enabled: bool = False
    """Whether it signs in with a second factor; stored with its login."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    level: Level
    owner_id: int
    """The maintainer, organization or project."""
    user_id: int
    role: Role = "admin"
    reason: str = ""
    created: datetime
    expires: datetime | None = None
    invitor_id: int | None = None
    approver_id: int | None = None
