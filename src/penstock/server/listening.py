"""The sockets of a stack: the plain port, and the TLS port if enabled."""

from __future__ import annotations

from socket import socket
from typing import NamedTuple

from penstock.foundation.errors import Invalid
from penstock.server.sockets import open_sockets
from penstock.settings import Settings

LOCAL = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""The address for this machine itself when a stack listens on all addresses."""


class Listening(NamedTuple):
    plain: list[socket]
    secure: list[socket]

    @property
    def address(self) -> str:
        """The address at which this machine reaches the stack."""
        bound: str = self.plain[0].getsockname()[0]
        return LOCAL.get(bound, bound)

    @property
    def port(self) -> int:
        return self.plain[0].getsockname()[1]

    @property
    def secure_port(self) -> int | None:
        return self.secure[0].getsockname()[1] if self.secure else None

    @property
    def endpoint(self) -> str:
        """`address:port` of the plain port."""
        return f"{bracketed(self.address)}:{self.port}"


def listen(settings: Settings) -> Listening:
    """Opens both or none."""
    if settings.https and settings.https_port and settings.https_port == settings.port:
        raise Invalid(f"Port {settings.port} cannot be both plain and TLS: give --port and --https-port two numbers.")
    plain = open_sockets(settings.host, settings.port)
    if not settings.https:
        return Listening(plain, [])
    try:
        return Listening(plain, open_sockets(settings.host, settings.https_port, "--https-port"))
    except Invalid:
        for each in plain:
            each.close()
        raise


def bracketed(address: str) -> str:
    """As an address is written in a URL."""
    return f"[{address}]" if ":" in address else address
