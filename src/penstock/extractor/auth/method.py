"""What an auth method is: a generator that may ask for requests to be sent first, and returns the signed message."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec

from penstock.extractor.http import Message, Request


class Reply(msgspec.Struct, frozen=True):
    """The response to a request that a method asked for."""

    body: bytes
    at: float
    """Unix time of its arrival."""


Signing = Generator[Request, Reply, Message]


class Given(msgspec.Struct, frozen=True):
    """The parts of a configuration that auth methods read, as raw maps."""

    api: dict[str, Any]
    attr: dict[str, Any]
    """The effective `config` without its jobs."""
    authorization: dict[str, Any]


class Auth(msgspec.Struct, frozen=True, kw_only=True):
    """No authentication; methods derive from it. Made once per iteration."""

    name: str = ""
    """The type in the configuration, for the log."""

    def sign(self, message: Message) -> Signing:
        """Yields requests to be sent unsigned, is sent their replies, returns the message with its credentials."""
        yield from ()
        return self.signed(message)

    def signed(self, message: Message) -> Message:
        """All there is to do for a method that needs no request of its own."""
        return message

    @property
    def secrets(self) -> list[str]:
        """Texts that must not be logged, as far as they are known by now."""
        return []
