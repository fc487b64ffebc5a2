"""The interface of authentication methods: a generator that may yield requests to be sent first, and returns the signed
message. OAuth methods read the credentials of the application and of the user here, as the platform provides them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message, Request
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_empty, to_text

KEYS = ("#data", "appKey", "#appSecret")


class Reply(msgspec.Struct, frozen=True):
    """The response to a request that a method has yielded."""

    body: bytes
    at: float
    """When it was received, as a Unix time."""


Signing = Generator[Request, Reply, Message]


class AuthConfig(msgspec.Struct, frozen=True):
    """The parts of a configuration that authentication methods read, as raw maps."""

    api: dict[str, Any]
    attr: dict[str, Any]
    """The effective `config` without its jobs."""
    authorization: dict[str, Any]


class Auth(msgspec.Struct, frozen=True, kw_only=True):
    """No authentication; the base class of methods. Created once per iteration."""

    name: str = ""
    """The type in the configuration, for the log."""

    def sign(self, message: Message) -> Signing:
        """Yields requests, which are sent unsigned, receives their replies, and returns the signed message."""
        yield from ()
        return self.signed(message)

    def signed(self, message: Message) -> Message:
        """Override this one in a method that sends no requests itself."""
        return message

    @property
    def secrets(self) -> list[str]:
        """Returns texts that must not be logged, as far as they are known yet."""
        return []


class Credentials(msgspec.Struct, frozen=True):
    data: str
    """The response of the provider to the user's authorization, often JSON."""
    key: str
    secret: str


def read_credentials(authorization: dict[str, Any], version: str, end: str = ".") -> Credentials:
    """`end` is appended to error messages."""
    credentials = as_map(as_map(authorization.get("oauth_api")).get("credentials"))
    if not credentials:
        raise UserError(f"OAuth API credentials not supplied in configuration{end}")
    for key in KEYS:
        if is_empty(credentials.get(key)):
            raise UserError(f"Missing '{key}' for OAuth {version} authorization{end}")
    data, key, secret = (_text(credentials[key]) for key in KEYS)
    return Credentials(data, key, secret)


def _text(value: Any) -> str:
    """Returns the text; an object in the configuration counts as its JSON text."""
    return json_text(value) if isinstance(value, (dict, list)) else to_text(value)
