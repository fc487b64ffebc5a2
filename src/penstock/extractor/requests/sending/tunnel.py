"""Opens the outbound gate, through a tunnel if the configuration has one: an SSH server, to which the first request
connects, and later ones again when the connection is lost."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.base.values import as_map
from penstock.extractor.requests.sending.ssh_server import NoLink, SshServer, read_server
from penstock.foundation.outbound import Gate, OutboundError, Policy, Refused, find_addresses

if TYPE_CHECKING:
    from penstock.extractor.requests.sending.ssh import Link

Sleep = Callable[[float], Awaitable[None]]

ATTEMPTS = 5
FIRST_PAUSE, MAX_PAUSE = 0.1, 30.0


AnyGate = TypeVar("AnyGate", bound=Gate)


class Tunnel:
    def __init__(self, server: SshServer, log: Log, policy: Policy, sleep: Sleep = asyncio.sleep) -> None:
        self._server, self._log, self._policy, self._sleep = server, log, policy, sleep
        self._opening = asyncio.Lock()
        self._link: Link | None = None

    async def address(self) -> str:
        """Returns the URL of the SOCKS proxy of the tunnel, such as `socks5h://127.0.0.1:4711`; opens it if
        necessary."""
        if self._link is not None and self._link.is_alive:
            return self._link.address
        async with self._opening:
            if self._link is not None and not self._link.is_alive:
                self._log.debug("SSH tunnel is not alive. Reconnecting ...")
                await self.close()
            if self._link is None:
                self._link = await self._open()
        return self._link.address

    async def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            await link.close()

    async def _open(self) -> Link:
        self._log.info(f"Creating SSH tunnel to '{self._server.host}' ...")
        failures = 0
        while True:
            try:
                link = await self._attempt()
            except NoLink as error:
                failures += 1
                if error.is_final or failures == ATTEMPTS:
                    raise UserError(f"Unable to create ssh tunnel. Output:  ErrorOutput: {error}") from None
                await self._sleep(min(FIRST_PAUSE * 2 ** (failures - 1), MAX_PAUSE))
            else:
                self._log.debug("SSH tunnel created.")
                return link

    async def _attempt(self) -> Link:
        from penstock.extractor.requests.sending.ssh import open_link  # asyncssh is slow to import, and rarely needed

        try:
            addresses = await find_addresses(self._policy, self._server.host, self._server.port)
        except OutboundError as error:
            raise NoLink(str(error), is_final=isinstance(error, Refused)) from None
        return await open_link(self._server, addresses)


def read_tunnel(ssh_proxy: Any, log: Log, policy: Policy | None = None) -> Tunnel | None:
    """Returns the tunnel of the section `sshProxy`, not opened yet; None if there is no such section."""
    if ssh_proxy is None:
        return None
    return Tunnel(read_server(as_map(ssh_proxy)), log, policy or Policy.from_environment())


@asynccontextmanager
async def open_gate(
    kind: Callable[..., AnyGate], tls: ssl.SSLContext | None, tunnel: Tunnel | None
) -> AsyncGenerator[AnyGate]:
    """The tunnel is opened by the first request, and closed with the gate."""
    try:
        async with kind(Policy.from_environment(), tls=tls, socks=tunnel.address if tunnel else None) as gate:
            yield gate
    finally:
        if tunnel is not None:
            await tunnel.close()
