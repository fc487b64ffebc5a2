"""Users as requested and returned."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.management.models.people import User
from penstock.services.management.models.wire import Name, Number


class UserRef(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    email: str


class UserView(UserRef, frozen=True, kw_only=True):
    mfa_enabled: bool = False
    features: list[str] = []
    can_access_logs: bool = False
    is_super_admin: bool = False


class UserChange(Wire, frozen=True, kw_only=True):
    """Fields that are not set stay unchanged."""

    name: Name | UnsetType = UNSET
    """New name."""


class AddedUser(Wire, frozen=True, kw_only=True):
    """A user by its number or by its e-mail address."""

    id: Number | UnsetType = UNSET
    """Id of the user. Either this or `email` is required."""
    email: str | UnsetType = UNSET
    """E-mail address of the user."""


def user_ref(user: User) -> UserRef:
    return UserRef(id=user.id, name=user.name, email=user.email)


def user_view(user: User) -> UserView:
    return UserView(
        id=user.id,
        name=user.name,
        email=user.email,
        mfa_enabled=user.mfa_enabled,
        features=user.features,
        can_access_logs=user.can_access_logs,
        is_super_admin=user.is_super_admin,
    )
