"""Enforces a policy: resolves names and accepts or refuses addresses.

Names are resolved once per connection, every returned address is checked, and aiohttp connects to the addresses that it
gets from here: there is no second lookup in which a name could point elsewhere (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from aiohttp.abc import AbstractResolver, ResolveResult

from penstock.foundation.machine import is_this_machine
from penstock.foundation.outbound.addresses import LOOPBACK, Address, is_metadata, is_public, read_address
from penstock.foundation.outbound.errors import MetadataAddress, OwnService, PrivateAddress, Unreachable
from penstock.foundation.outbound.policy import Policy, read_endpoint

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]

# As long as aiohttp caches the addresses of hosts that are called directly.
_REMEMBER_SECONDS = 10.0
_REMEMBERED = 1000


async def system_lookup(host: str, port: int) -> list[str]:
    """The addresses of a name from the operating system; raises OSError if there are none."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [_spell(sockaddr) for *_, sockaddr in found]


def _spell(sockaddr: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]) -> str:
    address = str(sockaddr[0])
    scope = sockaddr[3] if len(sockaddr) == 4 else 0
    return f"{address}%{scope}" if scope and "%" not in address else address


class Guard:
    def __init__(self, policy: Policy, lookup: Lookup) -> None:
        self._is_open = policy.is_open
        self._lookup = lookup
        self._own = {_plain(name): read_endpoint(endpoint) for name, endpoint in policy.own_hosts.items()}
        self._own_names = frozenset(map(_plain, policy.own_names))
        self._own_endpoints = frozenset((_plain(name), port) for name, port in policy.own_endpoints)
        self._own_ports = frozenset(policy.own_ports)
        self._names: set[str] = set()
        self._networks: list[IPv4Network | IPv6Network] = []
        self._passed: dict[str, float] = {}
        for entry in policy.allow:
            self._allow(entry)

    def find_own(self, host: str, port: int) -> tuple[str, int] | None:
        """The address of a callable host of this stack, or None if the host is an external one.

        Raises Refused for a host of this stack that may not be called.
        """
        if host in self._own_names:
            raise OwnService(host)
        if (host, port) in self._own_endpoints:
            raise OwnService(f"{host}:{port}")
        return self._own.get(host)

    def check(self, host: str, address: Address, port: int) -> None:
        """Raise Refused unless the policy permits reaching `host` at `address` and `port`."""
        if port in self._own_ports and is_this_machine(str(address)):
            raise OwnService(f"{host}:{port}")
        if self._is_open or is_public(address):
            return
        is_allowed = host in self._names or any(address in network for network in self._networks)
        if is_allowed and is_metadata(address):
            raise MetadataAddress(host)
        if not is_allowed:
            raise PrivateAddress(host, str(address))

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a name, all of them checked."""
        addresses = await self._look_up(host, port)
        for address in addresses:
            self.check(_plain(host), ip_address(address), port)
        return addresses

    async def check_for_proxy(self, host: str, port: int) -> None:
        """Refuse a private host although a proxy will resolve it; a name that only the proxy can resolve is
        accepted."""
        if port not in self._own_ports and self._is_open:
            return
        if self._passed.get(f"{host}:{port}", 0.0) > time.monotonic():
            return
        with suppress(Unreachable):
            await self.resolve(host, port)
        if len(self._passed) >= _REMEMBERED:
            self._passed.clear()
        self._passed[f"{host}:{port}"] = time.monotonic() + _REMEMBER_SECONDS

    async def _look_up(self, host: str, port: int) -> list[str]:
        # Plain Linux does not resolve *.localhost; RFC 6761 defines them.
        if is_loopback_name(host):
            return list(LOOPBACK)
        try:
            addresses = await self._lookup(host, port)
        except (OSError, UnicodeError):
            addresses = ()
        if not addresses:
            raise Unreachable("resolve", f"Could not resolve host: {host}")
        return list(dict.fromkeys(addresses))

    def _allow(self, entry: str) -> None:
        address = read_address(entry)
        if address is not None or "/" in entry:
            self._networks.append(ip_network(address or entry))
        else:
            self._names.add(_plain(entry))


async def find_addresses(policy: Policy, host: str, port: int, lookup: Lookup = system_lookup) -> list[str]:
    """The addresses at which the policy permits reaching `host`; raises Refused or Unreachable."""
    guard, address = Guard(policy, lookup), read_address(host)
    guard.find_own(_plain(host), port)
    if address is None:
        return await guard.resolve(host, port)
    guard.check(host, address, port)
    return [str(address)]


class PinningResolver(AbstractResolver):
    """Gives aiohttp only checked addresses to connect to."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,
    ) -> list[ResolveResult]:
        return [_result(host, address, port) for address in await self._guard.resolve(host, port)]

    async def close(self) -> None:
        """Has no resources to close."""


def is_loopback_name(host: str) -> bool:
    name = _plain(host)
    return name == "localhost" or name.endswith(".localhost")


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)


def _plain(name: str) -> str:
    return name.lower().rstrip(".")
