"""Authorizations that were started and are not complete: the user is at the provider."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar

import msgspec

from penstock.services.oauth.models.consumers import Id, Name, Secret, Url, Version, Wire
from penstock.services.oauth.models.credentials import Branch

CALLBACK_CHARACTERS = 8_000

Echo = Annotated[str, msgspec.Meta(max_length=CALLBACK_CHARACTERS)]


class AuthorizeForm(Wire, frozen=True, kw_only=True):
    aliases: ClassVar[Mapping[str, str]] = {"#appSecret": "appSecret"}

    id: Id
    authorized_for: Name
    token: Name
    return_url: Url
    branch_id: Branch | None = None
    app_key: Name | None = None
    app_secret: Secret | None = None
    auth_url: Url | None = None
    token_url: Url | None = None


class CallbackQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider sends the user back with."""

    state: Echo = ""
    hash: Echo = ""
    """The state, at providers whose address has `%%hash%%` in a parameter of this name."""
    code: Echo = ""
    oauth_token: Echo = ""
    oauth_verifier: Echo = ""
    error: Echo = ""
    error_description: Echo = ""
    denied: Echo = ""
    """The token of OAuth 1.0 that the user has refused."""


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
