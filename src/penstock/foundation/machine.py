"""Addresses of this machine, and of its clients."""

from __future__ import annotations

import socket
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""Wildcard addresses: a server on one of these listens on every address of the machine."""


def is_this_machine(address: str) -> bool:
    """Whether the system would allow listening on the address, which it does for its own only."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((address, 0))
    except (OSError, OverflowError):
        return False
    return True


@lru_cache(1024)
def network_of(address: str) -> str:
    """The key under which an address is counted: IPv6 addresses of one /64 network count as one, since they have the
    same owner."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else address


@lru_cache(1024)
def is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
