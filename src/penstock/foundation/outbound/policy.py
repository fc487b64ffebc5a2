"""What a process may connect to; a stack passes it to the jobs it starts in an environment variable."""

from __future__ import annotations

import os
import re
from ipaddress import ip_network

import msgspec

from penstock.foundation.outbound.addresses import read_address
from penstock.foundation.outbound.errors import InvalidPolicy

VARIABLE = "PENSTOCK_OUTBOUND"

_NAME = r"(?i)[a-z0-9_-]+(\.[a-z0-9_-]+)*"
_ENDPOINT = r"\[?([^\[\]]+?)\]?:([0-9]{1,5})"


class Policy(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Which hosts may be called. The default is strict: only the public internet.

    is_open          private hosts are not refused: an operator's own command line
    allow            private host names, addresses or networks that are allowed
    own_hosts        names of this stack → the `address:port` of their server, in plain HTTP, whatever the URL says
    own_names        names of this stack's other services, which are never called
    own_endpoints    names or addresses with the port at which this stack answers: never called; their other ports are
                     like those of any host
    own_ports        ports of this machine that this stack listens on: never called, also on an address that is allowed
    mark             sent with each request, so that the stack recognizes its own requests
    proxy            where requests are sent instead; the proxy itself is trusted
    ca_bundle        the certificates to trust instead of the system's
    use_environment  honour HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE and REQUESTS_CA_BUNDLE
    """

    is_open: bool = False
    allow: tuple[str, ...] = ()
    own_hosts: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    own_names: tuple[str, ...] = ()
    own_endpoints: tuple[tuple[str, int], ...] = ()
    own_ports: tuple[int, ...] = ()
    mark: str = ""
    proxy: str | None = None
    ca_bundle: str | None = None
    use_environment: bool = False

    def __post_init__(self) -> None:
        """An invalid setting must not silently allow less, or more, than intended."""
        for entry in self.allow:
            check_allowed(entry)
        for name, endpoint in self.own_hosts.items():
            if not re.fullmatch(_NAME, name):
                raise ValueError(f"{name!r} is not a host name.")
            read_endpoint(endpoint)

    @classmethod
    def from_environment(cls) -> Policy:
        """The policy this process was started with; without one, that of an operator's own command line."""
        text = os.environ.get(VARIABLE)
        if text is None:
            return cls(is_open=True, use_environment=True)
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise InvalidPolicy(f"{VARIABLE} cannot be read, so nothing may be called: {error}") from error

    def to_environment(self) -> dict[str, str]:
        return {VARIABLE: msgspec.json.encode(self).decode()}


def check_allowed(entry: str) -> None:
    """Raise ValueError unless the entry is a host name, an address or a network."""
    if "/" in entry:
        ip_network(entry)  # its message is fit for users
    elif read_address(entry) is None and not re.fullmatch(_NAME, entry):
        raise ValueError(f"{entry!r} is neither a host name, an address nor a network.")


def read_endpoint(endpoint: str) -> tuple[str, int]:
    match = re.fullmatch(_ENDPOINT, endpoint)
    address = read_address(match[1]) if match else None
    if match is None or address is None or not 0 < int(match[2]) < 65536:
        raise ValueError(f"{endpoint!r} is not an address and a port, like 127.0.0.1:8300.")
    return str(address), int(match[2])
