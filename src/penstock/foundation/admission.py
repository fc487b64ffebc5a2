"""Limits the number of connections: in total, and per address.

Loopback and trusted proxies are not limited: one of their addresses may stand for many clients.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection

from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.machine import is_loopback, network_of

log = Log("server")

MAX_CONNECTIONS = 10_000
MAX_LINGERING = 100
"""Refused connections that stay open for a moment, so that their clients can read the reason. They do not count towards
`most`."""
LOG_SECONDS = 60.0


class TooManyConnections(AppError):
    status = 429
    code = "tooManyConnections"
    retry_after = 1

    def __init__(self, limit: int) -> None:
        super().__init__(f"There are more than {limit} connections from this address. Close some, or reuse them.")


class ServerFull(AppError):
    status = 503
    code = "tooManyConnections"
    retry_after = 1

    def __init__(self) -> None:
        super().__init__("This stack has the maximum number of connections. Try again in a moment.")


class Admission:
    """Counts the connections of one port. `per_address` 0 means no limit."""

    def __init__(self, per_address: int = 0, proxies: Collection[str] = (), most: int = MAX_CONNECTIONS) -> None:
        self.per_address, self.most = per_address, most
        self._proxies = frozenset(proxies)
        self._count, self._total = Counter[str](), 0
        self._lingering = 0
        self._refused, self._next_log = 0, 0.0

    @property
    def is_full(self) -> bool:
        return self._total >= self.most

    def enter(self, address: str) -> AppError | None:
        """The reason if the connection is refused; an accepted one must call leave()."""
        network = network_of(address)
        if self.is_full:
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

    def begin_lingering(self) -> bool:
        """Whether a refused connection may stay open for a moment; if so, it must call end_lingering()."""
        if self._lingering >= MAX_LINGERING:
            return False
        self._lingering += 1
        return True

    def end_lingering(self) -> None:
        self._lingering -= 1

    def limits(self, address: str) -> bool:
        """Whether the limit per address applies to this one."""
        return bool(self.per_address) and address not in self._proxies and not is_loopback(address)

    def note_refused(self, address: str) -> None:
        """Logged once a minute, however many there are."""
        self._refused += 1
        now = time.monotonic()
        if now < self._next_log:
            return
        limits = {"per_address": self.per_address, "in_all": self.most}
        log.warning("connections refused", refused=self._refused, last_address=address, limits=limits)
        self._refused, self._next_log = 0, now + LOG_SECONDS
