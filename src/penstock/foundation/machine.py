"""Addresses of this machine."""

from __future__ import annotations

import socket

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
