"""The sockets of a stack: the plain port, and the TLS and the SQL port if enabled."""

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
    sql: list[socket] = []

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
    def sql_port(self) -> int | None:
        return self.sql[0].getsockname()[1] if self.sql else None

    @property
    def endpoint(self) -> str:
        """`address:port` of the plain port."""
        return f"{bracketed(self.address)}:{self.port}"


def listen(settings: Settings) -> Listening:
    """Opens all or none."""
    _check_distinct(settings)
    opened = Listening([], [], [])
    try:
        opened.plain.extend(open_sockets(settings.host, settings.port))
        if settings.https:
            opened.secure.extend(open_sockets(settings.host, settings.https_port, "--https-port"))
        if settings.sql_port is not None:
            opened.sql.extend(open_sockets(settings.host, settings.sql_port, "--sql-port"))
    except Invalid:
        for each in (*opened.plain, *opened.secure):
            each.close()
        raise
    return opened


def _check_distinct(settings: Settings) -> None:
    if settings.https and settings.https_port and settings.https_port == settings.port:
        raise Invalid(f"Port {settings.port} cannot be both plain and TLS: give --port and --https-port two numbers.")
    if settings.sql_port and settings.sql_port in (settings.port, settings.https_port if settings.https else None):
        raise Invalid(f"Port {settings.sql_port} is that of HTTP: give --sql-port another number.")


def bracketed(address: str) -> str:
    """Write the address as in a URL."""
    return f"[{address}]" if ":" in address else address
