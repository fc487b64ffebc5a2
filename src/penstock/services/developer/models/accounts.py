"""Accounts of the developer portal, and logins."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

TOKEN_SECONDS = 3600
REFRESH_DAYS = 30


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


class LoginRow(msgspec.Struct, frozen=True, kw_only=True):
    """A login with all tokens that come from it; without the row, none of them works."""

    id: int
    username: str
    generation: int
    """Of the newest refresh token that was used; using an older one ends the login."""
    created: datetime
    expires: datetime


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    email: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    """An e-mail address, or the username of a service account."""
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


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


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$(?!\n)")]
    """The last part of the username."""
    description: Annotated[str, msgspec.Meta(max_length=255)] = ""


class NewCredentials(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    username: str
    password: str
    """Shown this once."""
    description: str
    created_on: datetime
