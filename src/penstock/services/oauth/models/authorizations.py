"""Authorizations that were started and are not complete: the user is at the provider."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar

import msgspec

from penstock.foundation.structs import Wire
from penstock.services.oauth.models.consumers import Id, Name, Secret, Url, Version
from penstock.services.oauth.models.credentials import Branch

CALLBACK_CHARACTERS = 8_000

Echo = Annotated[str, msgspec.Meta(max_length=CALLBACK_CHARACTERS)]


class AuthorizeForm(Wire, frozen=True, kw_only=True):
    aliases: ClassVar[Mapping[str, str]] = {"#appSecret": "appSecret"}

    id: Id
    """Id of the new credential, by which configurations name it. Usually that of the configuration."""
    authorized_for: Name
    """Whose account is authorized, as people see it."""
    token: Name
    """A Storage token of the project that may use the component."""
    return_url: Url
    """Address that the browser is sent to when the credential is stored."""
    branch_id: Branch | None = None
    """Id of the branch that the credential belongs to. Without it, the credential is for the whole project."""
    app_key: Name | None = None
    """Client id of an own application, instead of the one that is registered for the component."""
    app_secret: Secret | None = None
    """Client secret of the own application."""
    auth_url: Url | None = None
    """Authorization address of the own application."""
    token_url: Url | None = None
    """Token address of the own application."""


class CallbackQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider sends the user back with."""

    state: Echo = ""
    """The value that the authorization began with."""
    hash: Echo = ""
    """The state, at providers whose address has `%%hash%%` in a parameter of this name."""
    code: Echo = ""
    """The code that is exchanged for tokens."""
    oauth_token: Echo = ""
    """The request token of OAuth 1.0."""
    oauth_verifier: Echo = ""
    """The verifier of OAuth 1.0."""
    error: Echo = ""
    """Why the provider refused."""
    error_description: Echo = ""
    """What the provider says about it."""
    denied: Echo = ""
    """The request token of OAuth 1.0 that the user has refused."""


class Application(msgspec.Struct, frozen=True, kw_only=True):
    """The application that a user authorizes, with its secrets in plain text."""

    version: Version
    key: str
    secret: str
    component_secret: str
    """The one that the component gets."""
    auth_url: str
    token_url: str
    request_token_url: str
    has_custom_token_url: bool
    uses_pkce: bool


class AuthorizationRow(msgspec.Struct, frozen=True, kw_only=True):
    """Secrets are ciphers."""

    state: str
    """The hash of what the provider sends back: the state or, of OAuth 1.0, the request token."""
    session: str
    """The hash of what the cookie of the browser must hold."""
    project_id: int
    component_id: str
    id: str
    branch_id: int
    authorized_for: str
    creator_id: int
    sign_in_id: int
    """That the form was sent with; 0 if its token was not one of a person."""
    creator_description: str
    return_url: str
    redirect_uri: str
    oauth_version: Version
    app_key: str
    app_secret: str
    component_secret: str
    token_url: str
    has_custom_token_url: bool
    verifier: str
    """Of PKCE or, of OAuth 1.0, the secret of the request token. Empty if there is none."""
    expires: datetime
