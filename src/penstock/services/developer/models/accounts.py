"""Accounts of the developer portal, users of the stack who belong to vendors, and logins."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

from penstock.foundation.constraints import matching

TOKEN_SECONDS = 3600
REFRESH_DAYS = 30
Secret = Annotated[str, msgspec.Meta(max_length=1000)]


class AccountRow(msgspec.Struct, frozen=True, kw_only=True):
    """A service account: a program that publishes apps of a vendor."""

    username: str
    description: str
    vendors: list[str]
    is_admin: bool
    """Whether it may do everything with the apps of every vendor."""
    password_hash: bytes
    created: datetime
    created_by: str


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    username: str
    name: str
    email: str = ""
    vendors: tuple[str, ...] = ()
    is_admin: bool = False
    user_id: int = 0
    """The user of the stack that it is; 0 for service accounts."""
    has_second_factor: bool = False


class MemberRow(msgspec.Struct, frozen=True, kw_only=True):
    """A user of the stack who belongs to a vendor."""

    vendor_id: str
    user_id: int
    created: datetime
    created_by: str


class LoginRow(msgspec.Struct, frozen=True, kw_only=True):
    """A login with all tokens that come from it; without the row, none of them works."""

    id: int
    username: str
    generation: int
    """Of the newest refresh token that was used; using an older one ends the login."""
    created: datetime
    expires: datetime
    sign_in_id: int | None = None
    """The sign-in of a user of the stack, with which it ends; None for service accounts."""


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    email: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    """E-mail address of a user of the stack, or the username of a service account."""
    password: Secret = ""
    """The password. Not needed with `session`."""
    session: Secret = ""
    """The session of the first response to a user with a second factor. Send it with `code`."""
    code: Secret = ""
    """The code of the authenticator app, or a recovery code."""
    challenge: Secret = ""
    """Kind of the code, as official clients send it. It is not used: there is one kind."""


class CodeRequired(msgspec.Struct, frozen=True):
    """The password is right, and the user has a second factor."""

    session: str
    """To send with the code, within 5 minutes."""


class Token(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Both tokens are the same one; clients send the first, and log out with the second."""

    token: str
    access_token: str
    refresh_token: str
    """The next one. A client may keep the one it has; once it has used the next one, that one ends the login."""
    expires_in: int = TOKEN_SECONDS


class ProfileVendor(msgspec.Struct, frozen=True):
    id: str
    name: str


class Profile(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    name: str
    email: str
    vendors: list[ProfileVendor]
    is_admin: bool
    mfa: bool = False


class VendorUser(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A user of the stack, as a vendor lists it."""

    username: str
    email: str
    name: str
    created_on: datetime


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    name: Annotated[
        str,
        matching(
            r"^[a-z0-9][a-z0-9_-]{0,62}$(?!\n)",
            "1 to 63 small letters, digits, dashes and underscores, the first a letter or a digit",
            "build",
        ),
    ]
    """The last part of the username."""
    description: Annotated[str, msgspec.Meta(max_length=255)] = ""
    """What the service account is for."""


class NewCredentials(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    username: str
    password: str
    """Shown this once."""
    description: str
    created_on: datetime
