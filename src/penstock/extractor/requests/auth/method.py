"""The interface of authentication methods: a generator that may yield requests to be sent first, and returns the signed
message."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec

from penstock.extractor.base.http import Message, Request


class Reply(msgspec.Struct, frozen=True):
    """The response to a request that a method has yielded."""

    body: bytes
    at: float
    """When it was received, as a Unix time."""


Signing = Generator[Request, Reply, Message]


class Given(msgspec.Struct, frozen=True):
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
        """Texts that must not be logged, as far as they are known yet."""
        return []
