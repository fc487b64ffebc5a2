"""What people and programs send to sign in, and what they get."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Literal

import msgspec

from penstock.foundation.structs import Wire
from penstock.services.management.interface import Role

Short = Annotated[str, msgspec.Meta(max_length=1_000)]
Name = Annotated[str, msgspec.Meta(max_length=255)]
Url = Annotated[str, msgspec.Meta(max_length=4_000)]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=10 * 366 * 86_400)]
ProjectIds = Annotated[list[int], msgspec.Meta(max_length=1_000)]
SNAKE_CASE: Mapping[str, str] = {
    "client_id": "clientId",
    "redirect_uri": "redirectUri",
    "response_type": "responseType",
    "code_challenge": "codeChallenge",
    "code_challenge_method": "codeChallengeMethod",
    "code_verifier": "codeVerifier",
    "grant_type": "grantType",
    "device_code": "deviceCode",
    "user_code": "userCode",
    "refresh_token": "refreshToken",
}
"""The fields as the standards write them: libraries of OAuth send these."""


class LoginModel(Wire, frozen=True, kw_only=True):
    aliases: ClassVar[Mapping[str, str]] = SNAKE_CASE


class Signed(msgspec.Struct, frozen=True):
    """A user, as answers to a sign-in show it."""

    id: int
    email: str
    name: str


class PasswordLogin(LoginModel, frozen=True, kw_only=True):
    email: Name
    """E-mail address of the user."""
    password: Short
    """Password of the user."""
    grant_type: Literal["password"] = "password"
    """Always `password`."""
    client_id: Name = ""
    """Name of the program that signs in, as the list of sessions shows it."""


class MfaLogin(LoginModel, frozen=True, kw_only=True):
    mfa_token: Short
    """The token of the first response."""
    code: Name
    """A code of the authenticator app, or a recovery code."""


class MfaRequired(LoginModel, frozen=True, kw_only=True):
    mfa_token: str
    expires_in: int
    mfa_required: bool = True
    mfa_type: str = "totp"
    allowed_methods: tuple[str, ...] = ("totp", "recovery")


class TokenPair(LoginModel, frozen=True, kw_only=True):
    access_token: str
    refresh_token: str
    expires_in: int
    session_id: str
    user: Signed
    token_type: str = "Bearer"  # noqa: S105


class AccessToken(LoginModel, frozen=True, kw_only=True):
    access_token: str
    expires_in: int
    token_type: str = "Bearer"  # noqa: S105


class SessionState(LoginModel, frozen=True, kw_only=True):
    """What a browser has to know before somebody signs in."""

    is_signed_in: bool
    has_single_sign_on: bool
    """Whether the stack has a provider of it, at `/v1/auth/page/sso`."""


class AuthorizeQuery(LoginModel, frozen=True, kw_only=True):
    response_type: Literal["code"] = "code"
    client_id: Name
    redirect_uri: Url
    code_challenge: Short
    code_challenge_method: Name = ""
    state: Short = ""


class CodeExchange(LoginModel, frozen=True, kw_only=True):
    code: Short
    """The code that the browser brought back. It works once."""
    redirect_uri: Url
    """The address that the browser was sent back to."""
    code_verifier: Short
    """The verifier whose SHA-256 hash the authorization began with."""
    client_id: Name
    """Name of the program that signs in."""
    state: Short | None = None
    """The state of the authorization. It is compared if it is sent."""
    grant_type: Literal["authorization_code"] = "authorization_code"
    """Always `authorization_code`."""


class DeviceRequest(LoginModel, frozen=True, kw_only=True):
    client_id: Name
    """Name of the program that signs in, as the person sees it."""


class Device(LoginModel, frozen=True, kw_only=True):
    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class DeviceExchange(LoginModel, frozen=True, kw_only=True):
    device_code: Short
    """The code of the device, as its request returned it."""
    client_id: Name = ""
    """Name of the program that signs in."""


class RefreshRequest(LoginModel, frozen=True, kw_only=True):
    refresh_token: Short
    """The refresh token. It works once."""


class TokenText(LoginModel, frozen=True, kw_only=True):
    token: Short
    """The token."""


class Membership(LoginModel, frozen=True, kw_only=True):
    id: int
    name: str
    role: Role


class Me(LoginModel, frozen=True, kw_only=True):
    """Who is signed in, and where."""

    user: Signed
    is_super_admin: bool
    mfa_enabled: bool
    projects: list[Membership]


class Introspection(LoginModel, frozen=True, kw_only=True):
    active: bool
    token_type: str | None = None
    session_id: str | None = None
    expires: datetime | None = None
    user: Signed | None = None
    projects: list[Membership] = []


class Session(LoginModel, frozen=True, kw_only=True):
    """A sign-in that is still valid."""

    id: str
    type: Literal["browser", "program"]
    description: str
    created: datetime
    expires: datetime | None
    is_current: bool
    """Whether the request itself belongs to it."""


class NewPersonalToken(LoginModel, frozen=True, kw_only=True):
    description: Name
    """What the token is for, as lists show it."""
    expires_in: Seconds | None = None
    """Seconds until the token expires. Without it, it never does."""
    project_ids: ProjectIds = []
    """Ids of the only projects that the token opens. Without them, all of the user."""
    only_reads: bool = False
    """Whether the token changes nothing."""


class PersonalToken(LoginModel, frozen=True, kw_only=True):
    id: int
    description: str
    created: datetime
    expires: datetime | None
    is_expired: bool
    project_ids: list[int]
    only_reads: bool
    last_used: datetime | None
    """To the minute."""


class IssuedPersonalToken(PersonalToken, frozen=True, kw_only=True):
    token: str


class PasswordChange(LoginModel, frozen=True, kw_only=True):
    password: Short
    """The current password."""
    new_password: Short
    """The new password: 12 to 128 characters, at least 5 of them different."""


class ForgottenPassword(LoginModel, frozen=True, kw_only=True):
    email: Name
    """E-mail address of the user."""


class Code(LoginModel, frozen=True, kw_only=True):
    code: Name
    """A code of the authenticator app."""


class RecoveryCodes(LoginModel, frozen=True, kw_only=True):
    recovery_codes: list[str]
