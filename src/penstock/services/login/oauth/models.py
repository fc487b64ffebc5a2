"""What programs send and get, with the names of the standards (RFC 6749, 7009, 7591, 8414, 8707)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from penstock.services.login.models import Name, Short

MAX_REDIRECTS = 20
Address = Annotated[str, msgspec.Meta(max_length=2_000)]
Text = Annotated[str, msgspec.Meta(max_length=2_000)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]
GRANT_TYPES = ("authorization_code", "refresh_token")
READ, WRITE = "read", "write"
SCOPES = (READ, WRITE)


class NewClient(msgspec.Struct, frozen=True, kw_only=True):
    redirect_uris: Annotated[list[Address], msgspec.Meta(min_length=1, max_length=MAX_REDIRECTS)]
    client_name: Name = ""
    grant_types: Names = GRANT_TYPES
    response_types: Names = ("code",)


class RegisteredClient(msgspec.Struct, frozen=True, kw_only=True):
    """What was registered, which may be less than what was asked for (RFC 7591, 3.2.1)."""

    client_id: str
    client_name: str
    redirect_uris: list[str]
    client_id_issued_at: int
    grant_types: tuple[str, ...] = GRANT_TYPES
    response_types: tuple[str, ...] = ("code",)
    token_endpoint_auth_method: str = "none"  # noqa: S105
    scope: str = " ".join(SCOPES)


class AuthorizationRequest(msgspec.Struct, frozen=True, kw_only=True):
    client_id: Name
    redirect_uri: Address
    response_type: Name = ""
    code_challenge: Short = ""
    code_challenge_method: Name = ""
    state: Text = ""
    scope: Text = ""
    resource: Address = ""

    @property
    def may_write(self) -> bool:
        """Whether it asks to write, or does not say. Scopes that are unknown here are left out of what it gets."""
        known = [scope for scope in self.scope.split() if scope in SCOPES]
        return not known or WRITE in known


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has chosen on the page."""

    key: Name = ""
    decision: Literal["allow", "deny"] = "deny"
    project: int = 0
    access: Literal["read", "write"] = "read"


class TokenRequest(msgspec.Struct, frozen=True, kw_only=True):
    grant_type: Name = ""
    client_id: Name = ""
    code: Short = ""
    redirect_uri: Address = ""
    code_verifier: Short = ""
    refresh_token: Short = ""
    resource: Address = ""


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    access_token: str
    refresh_token: str
    expires_in: int
    scope: str
    token_type: str = "Bearer"  # noqa: S105


class Revocation(msgspec.Struct, frozen=True, kw_only=True):
    token: Short
    client_id: Name


class ServerMetadata(msgspec.Struct, frozen=True, kw_only=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str
    revocation_endpoint: str
    scopes_supported: tuple[str, ...] = SCOPES
    response_types_supported: tuple[str, ...] = ("code",)
    response_modes_supported: tuple[str, ...] = ("query",)
    grant_types_supported: tuple[str, ...] = GRANT_TYPES
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("none",)
    revocation_endpoint_auth_methods_supported: tuple[str, ...] = ("none",)
    code_challenge_methods_supported: tuple[str, ...] = ("S256",)
    authorization_response_iss_parameter_supported: bool = True
