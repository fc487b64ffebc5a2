"""Consumers: an application that is registered at a provider, for one component."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec

from penstock.foundation.constraints import matching

URL_CHARACTERS, SECRET_CHARACTERS = 4_000, 10_000

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Id = Annotated[str, matching(r"\A[^/]+\Z", "a text without a slash", "shop-1", min_length=1, max_length=255)]
"""Of a credential: a segment of a path."""
Url = Annotated[str, msgspec.Meta(min_length=1, max_length=URL_CHARACTERS)]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=SECRET_CHARACTERS)]


class Version(StrEnum):
    ONE = "1.0"
    TWO = "2.0"


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"): ...


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
    friendly_name: Name
    oauth_version: Version = Version.TWO
    auth_url: Url
    """`%%client_id%%`, `%%redirect_uri%%`, `%%hash%%` and `%%oauth_token%%` in it are replaced."""
    token_url: Url
    request_token_url: Url | None = None
    """Of OAuth 1.0: where it begins."""
    app_key: Name
    app_secret: Secret
    app_secret_docker: Secret | None = None
    """The secret that components get, if it is another one."""
    restrict_custom_auth: bool = False
    """Whether users may not use a custom application."""
    use_pkce: bool = True
    """Off for providers that refuse parameters which they do not know."""
    refresh_tokens: bool = False
    """Whether the broker refreshes tokens before a job; off for components that do so themselves."""


class ConsumerChange(ConsumerFields, frozen=True, kw_only=True):
    friendly_name: Name | None = None
    oauth_version: Version | None = None
    auth_url: Url | None = None
    token_url: Url | None = None
    request_token_url: Url | None = None
    app_key: Name | None = None
    app_secret: Secret | None = None
    app_secret_docker: Secret | None = None
    restrict_custom_auth: bool | None = None
    use_pkce: bool | None = None
    refresh_tokens: bool | None = None


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
