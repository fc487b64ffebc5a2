"""Consumers: an application that is registered at a provider, for one component."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec

from penstock.foundation.constraints import matching
from penstock.foundation.structs import Wire

URL_CHARACTERS, SECRET_CHARACTERS = 4_000, 10_000

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Id = Annotated[str, matching(r"\A[^/]+\Z", "a text without a slash", "shop-1", min_length=1, max_length=255)]
"""Of a credential: a segment of a path."""
Url = Annotated[str, msgspec.Meta(min_length=1, max_length=URL_CHARACTERS)]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=SECRET_CHARACTERS)]


class Version(StrEnum):
    ONE = "1.0"
    TWO = "2.0"


class ConsumerFields(Wire, frozen=True, kw_only=True):
    """Every field but the component; one that is absent has its default, or stays as it is."""

    aliases: ClassVar[Mapping[str, str]] = {
        "friendly_name": "friendlyName",
        "oauth_version": "oauthVersion",
        "auth_url": "authUrl",
        "token_url": "tokenUrl",
        "request_token_url": "requestTokenUrl",
        "app_key": "appKey",
        "app_secret": "appSecret",
        "app_secret_docker": "appSecretDocker",
        "restrict_custom_auth": "restrictCustomAuth",
        "use_pkce": "usePkce",
        "refresh_tokens": "refreshTokens",
        "component_id": "componentId",
    }
    """Names that the official client for managers sends."""


class NewConsumer(ConsumerFields, frozen=True, kw_only=True):
    component_id: Name
    """Id of the component that the application is for."""
    friendly_name: Name
    """Name of the provider, as people see it."""
    oauth_version: Version = Version.TWO
    """Version of OAuth."""
    auth_url: Url
    """Address that users are sent to. `%%client_id%%`, `%%redirect_uri%%`, `%%hash%%` and `%%oauth_token%%` in it are
    replaced."""
    token_url: Url
    """Address at which a code is exchanged for tokens."""
    request_token_url: Url | None = None
    """Address at which OAuth 1.0 begins. Only for version 1.0."""
    app_key: Name
    """Client id of the application."""
    app_secret: Secret
    """Client secret of the application. It is stored and returned encrypted."""
    app_secret_docker: Secret | None = None
    """The secret that components get, if it is another one."""
    restrict_custom_auth: bool = False
    """Whether users may not use a custom application."""
    use_pkce: bool = True
    """Whether the authorization uses PKCE. Switch it off for providers that refuse parameters which they do not
    know."""
    refresh_tokens: bool = False
    """Whether tokens are refreshed before each job. Leave it off for components that refresh them themselves."""


class ConsumerChange(ConsumerFields, frozen=True, kw_only=True):
    friendly_name: Name | None = None
    """New name of the provider, as people see it."""
    oauth_version: Version | None = None
    """New version of OAuth."""
    auth_url: Url | None = None
    """New address that users are sent to."""
    token_url: Url | None = None
    """New address at which a code is exchanged for tokens."""
    request_token_url: Url | None = None
    """New address at which OAuth 1.0 begins."""
    app_key: Name | None = None
    """New client id of the application."""
    app_secret: Secret | None = None
    """New client secret of the application."""
    app_secret_docker: Secret | None = None
    """New secret that components get, if it is another one."""
    restrict_custom_auth: bool | None = None
    """Whether users may not use a custom application."""
    use_pkce: bool | None = None
    """Whether the authorization uses PKCE."""
    refresh_tokens: bool | None = None
    """Whether tokens are refreshed before each job."""


class ConsumerRow(msgspec.Struct, frozen=True, kw_only=True):
    """Secrets are ciphers."""

    component_id: str
    friendly_name: str
    oauth_version: Version
    auth_url: str
    token_url: str
    request_token_url: str | None
    app_key: str
    app_secret: str
    app_secret_docker: str
    restrict_custom_auth: bool
    use_pkce: bool
    refresh_tokens: bool
    created: datetime


class Consumer(Wire, frozen=True, kw_only=True):
    component_id: str
    friendly_name: str
    oauth_version: Version
    auth_url: str
    token_url: str
    request_token_url: str | None
    app_key: str
    app_secret: str
    app_secret_docker: str
    restrict_custom_auth: bool
    use_pkce: bool
    refresh_tokens: bool


def consumer_view(row: ConsumerRow) -> Consumer:
    return msgspec.convert(row, Consumer, from_attributes=True)
