"""A real SSH server that leads into a small network of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import asyncssh

from penstock.foundation.outbound.loop import BackgroundLoop

CLIENT_KEY = asyncssh.generate_private_key("ssh-ed25519")
HOST_KEY = asyncssh.generate_private_key("ssh-ed25519")
PRIVATE_KEY = CLIENT_KEY.export_private_key().decode()


@dataclass
class Bastion:
    """`ports` is its network: names and addresses that it finds on ports of this machine."""

    ports: Mapping[str, int]
    port: int = 0
    asked: list[tuple[str, int]] = field(default_factory=list)
    connections: list[asyncssh.SSHServerConnection] = field(default_factory=list)

    def settings(self, **others: Any) -> dict[str, Any]:
        return {"user": "jump", "host": "127.0.0.1", "port": self.port, "#privateKey": PRIVATE_KEY, **others}

    def kill(self) -> None:
        self.connections[-1].abort()


class _Visitor(asyncssh.SSHServer):
    def __init__(self, bastion: Bastion) -> None:
        self._bastion = bastion

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._bastion.connections.append(conn)

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> Any:
        self._bastion.asked.append((dest_host, dest_port))
        found = self._bastion.ports.get(dest_host)
        forwarded: Awaitable[Any] | bool = bool(found) and self._connection.forward_connection("127.0.0.1", found or 0)
        return forwarded


@asynccontextmanager
async def bastion_to(ports: Mapping[str, int], port: int = 0) -> AsyncGenerator[Bastion]:
    bastion = Bastion(ports)
    listener = await asyncssh.listen(
        "127.0.0.1",
        port,
        server_factory=lambda: _Visitor(bastion),
        server_host_keys=[HOST_KEY],
        authorized_client_keys=asyncssh.import_authorized_keys(CLIENT_KEY.export_public_key().decode()),
    )
    bastion.port = listener.get_port()
    try:
        yield bastion
    finally:
        listener.close()
        for connection in bastion.connections:
            connection.abort()
        await asyncio.sleep(0)


class BastionBeside:
    """A bastion for tests that are not async: it runs on a loop of its own, and any thread may kill its connection."""

    def __init__(self, bastion: Bastion, loop: BackgroundLoop) -> None:
        self.bastion, self._loop = bastion, loop

    def kill(self) -> None:
        async def kill() -> None:
            self.bastion.kill()

        self._loop.run(kill())


@contextmanager
def bastion_beside(ports: Mapping[str, int]) -> Generator[BastionBeside]:
    loop, opening = BackgroundLoop(), bastion_to(ports)
    try:
        yield BastionBeside(loop.run(_enter(opening)), loop)
    finally:
        loop.run(_leave(opening))
        loop.stop()


async def _enter(opening: AbstractAsyncContextManager[Bastion]) -> Bastion:
    return await opening.__aenter__()


async def _leave(opening: AbstractAsyncContextManager[Bastion]) -> None:
    await opening.__aexit__(None, None, None)
