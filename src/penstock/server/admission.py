"""How many connections there may be: in all, and of one address.

Loopback and trusted proxies are not limited: behind one address of them there are many clients.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log

log = Log("server")

MAX_CONNECTIONS = 10_000
LOG_SECONDS = 60.0


class TooManyConnections(AppError):
    status = 429
    code = "tooManyConnections"
    retry_after = 1

    def __init__(self, limit: int) -> None:
        super().__init__(f"There are more than {limit} connections from this address. Close some, or use them again.")


class ServerFull(AppError):
    status = 503
    code = "tooManyConnections"
    retry_after = 1

    def __init__(self) -> None:
        super().__init__("This stack has as many connections as it can hold. Try again in a moment.")


class Admission:
    """Counts the connections of one port. `per_address` 0 is no limit."""

    def __init__(self, per_address: int = 0, proxies: Collection[str] = (), most: int = MAX_CONNECTIONS) -> None:
        self.per_address, self.most = per_address, most
        self._proxies = frozenset(proxies)
        self._count, self._total = Counter[str](), 0
        self._refused, self._next_log = 0, 0.0

    def enter(self, address: str) -> AppError | None:
        """Why the connection is refused; one that is not has to leave()."""
        network = network_of(address)
        if self._total >= self.most:
            self.note_refused(address)
            return ServerFull()
        if self.limits(address) and self._count[network] >= self.per_address:
            self.note_refused(address)
            return TooManyConnections(self.per_address)
        self._total += 1
        self._count[network] += 1
        return None

    def leave(self, address: str) -> None:
        network = network_of(address)
        self._total -= 1
        self._count[network] -= 1
        if not self._count[network]:
            del self._count[network]

    def limits(self, address: str) -> bool:
        """Whether the limit of one address is for this one."""
        return bool(self.per_address) and address not in self._proxies and not _is_loopback(address)

    def note_refused(self, address: str) -> None:
        """Said once a minute, however many there are."""
        self._refused += 1
        now = time.monotonic()
        if now < self._next_log:
            return
        limits = {"per_address": self.per_address, "in_all": self.most}
        log.warning("connections refused", refused=self._refused, last_address=address, limits=limits)
        self._refused, self._next_log = 0, now + LOG_SECONDS


@lru_cache(1024)
def network_of(address: str) -> str:
    """Whom an address belongs to: of IPv6, whoever has one has the other addresses of its /64 too."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else address


@lru_cache(1024)
def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
