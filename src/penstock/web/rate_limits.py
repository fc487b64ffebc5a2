"""Limits the rate of requests: per token, and per address.

Requests from loopback are not limited, unless a trusted proxy sends them. Since one address of a proxy stands for many
clients, the limit per address applies to the client that X-Forwarded-For names. If it names none, only the limit per
token applies.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Collection, Hashable, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Self

import msgspec

from penstock.foundation.errors import AppError
from penstock.foundation.machine import is_loopback, network_of
from penstock.foundation.settings import Settings
from penstock.web.auth.identification import hash_credential

BURST_SECONDS = 10
"""A client that was idle may send the requests of this many seconds together."""
MAX_KEYS = 10_000
"""Tokens or addresses that are counted at the same time; the one that was idle for longest is dropped."""

_WITH_PORT = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?")


class TooManyRequests(AppError):
    status = 429
    code = "tooManyRequests"

    def __init__(self, whose: str, per_second: int, wait: float) -> None:
        self.retry_after = max(1, math.ceil(wait))
        super().__init__(
            f"There are more than {per_second} requests a second {whose}. Try again in {self.retry_after} seconds."
        )


class Rate:
    """Token buckets, one per key: `per_second` requests on average, and a burst. 0 means no limit."""

    def __init__(self, per_second: int) -> None:
        self.per_second = per_second
        self._buckets: dict[Hashable, tuple[float, float]] = {}
        """How many requests are left, and when that was so; the key that was idle for longest comes first."""

    def take(self, key: Hashable) -> float:
        """Count a request. 0 if it is within the limit, else the seconds until the next one would be."""
        if not self.per_second:
            return 0.0
        now, most = time.monotonic(), float(self.per_second * BURST_SECONDS)
        left, since = self._buckets.pop(key, (most, now))
        left = min(most, left + (now - since) * self.per_second)
        is_allowed = left >= 1
        self._buckets[key] = (left - 1 if is_allowed else left, now)
        if len(self._buckets) > MAX_KEYS:
            del self._buckets[next(iter(self._buckets))]
        return 0.0 if is_allowed else (1 - left) / self.per_second


class RateLimits(msgspec.Struct, frozen=True):
    """Used by one event loop, for the requests of all services."""

    tokens: Rate
    addresses: Rate
    proxies: Collection[str] = ()

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Proxies are compared as written with the address of a connection, and as addresses with X-Forwarded-For."""
        written = settings.trusted_proxies
        proxies = frozenset(each for each in (*written, *map(read_address, written)) if each)
        return cls(Rate(settings.requests_per_token), Rate(settings.requests_per_address), proxies)

    def check(self, address: str, credential: str, forwarded_for: Sequence[str] = ()) -> None:
        """Raises if there were too many requests from the address, or with the credential. `forwarded_for` are the
        values of X-Forwarded-For, which only trusted proxies are believed."""
        is_proxy = address in self.proxies
        if is_loopback(address) and not is_proxy:
            return
        client = find_client(forwarded_for, self.proxies) if is_proxy else address
        if (client or not is_proxy) and (wait := self.addresses.take(network_of(client))):
            raise TooManyRequests("from this address", self.addresses.per_second, wait)
        if credential and (wait := self.tokens.take(hash_credential(credential))):
            raise TooManyRequests("with this token", self.tokens.per_second, wait)

    def client_of(self, address: str, forwarded_for: Sequence[str]) -> str:
        """The address that a request comes from; that of the proxy if it does not say."""
        return (find_client(forwarded_for, self.proxies) or address) if address in self.proxies else address


def find_client(forwarded_for: Sequence[str], proxies: Collection[str]) -> str:
    """The last address that is not a trusted proxy: those before it are what the client claims. Empty if there is none,
    or if something else is there."""
    for written in reversed(",".join(forwarded_for).split(",")):
        address = read_address(written)
        if address not in proxies:
            return address
    return ""


def read_address(written: str) -> str:
    """An address as the system writes it, without a port and a zone; empty if it is none."""
    match = _WITH_PORT.fullmatch(written.strip())
    try:
        address = ip_address((match[1] or match[2] if match else written.strip()).partition("%")[0])
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


UNLIMITED = RateLimits(Rate(0), Rate(0))
