"""Over standard input and output: the agent starts the program, and ends it by closing its input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
from anyio import to_thread
from mcp.server.stdio import stdio_server

from penstock.mcp.server import Caller, build_server


def serve(caller: Caller) -> None:
    anyio.run(_serve, caller)


async def _serve(caller: Caller) -> None:
    server = build_server(caller, _run_in_thread)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _run_in_thread(work: Callable[[], Any]) -> Any:
    """Abandoned if the agent cancels its request: what it has asked the stack for continues there."""
    return await to_thread.run_sync(work, abandon_on_cancel=True)
