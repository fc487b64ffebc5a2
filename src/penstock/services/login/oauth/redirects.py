"""Where the browser may be sent back to: an https address, or an http address of the person's own machine.

An address is compared as it was registered. Of one of the own machine, the port may differ: programs get a free one
each time (RFC 8252, 7.3).
"""

from __future__ import annotations

import re
from collections.abc import Collection

_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?(?P<rest>(?:[/?][!-~]*)?)"
)
_PRIVATE_USE = re.compile(r"[a-z][a-z0-9+.-]*:[!-~]+")
_LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
_OF_BROWSERS = ("javascript", "data", "vbscript", "file", "blob", "about", "http")
"""Schemes that nobody is sent to, whatever the operator has listed."""


def is_allowed(address: str, listed: Collection[str]) -> bool:
    """Whether a program may register it. `listed` are those that the operator allows besides, which may have a scheme
    that a program has on the person's machine."""
    found = _ADDRESS.fullmatch(address)
    if "\\" in address or "#" in address:
        return False
    if not found:
        is_listed = address in listed and bool(_PRIVATE_USE.fullmatch(address))
        return is_listed and address.partition(":")[0] not in (*_OF_BROWSERS, "https")
    has_port = found["port"] is None or 0 < int(found["port"]) <= 65_535
    return has_port and (found["scheme"] == "https" or found["host"].lower() in _LOOPBACK)


def is_registered(address: str, registered: Collection[str]) -> bool:
    if address in registered:
        return True
    without_port = _read_loopback(address)
    return without_port is not None and without_port in map(_read_loopback, registered)


def _read_loopback(address: str) -> tuple[str, str] | None:
    """The host and what follows the port, of an http address of the own machine."""
    if not is_allowed(address, ()):
        return None
    found = _ADDRESS.fullmatch(address)
    return (found["host"].lower(), found["rest"]) if found and found["scheme"] == "http" else None
