"""Over streamable HTTP, without sessions: each request is handled separately, by any process."""

from __future__ import annotations

import logging

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from penstock.mcp.server import Caller, RunInThread, build_server

BODY_BYTES = 4 << 20
"""The stack has read the body before."""

# It tells of every request.
logging.getLogger("mcp").setLevel(logging.WARNING)


async def serve(caller: Caller, run_in_thread: RunInThread, scope: Scope, receive: Receive, send: Send) -> None:
    """One request, as an ASGI application handles it."""
    manager = StreamableHTTPSessionManager(
        build_server(caller, run_in_thread), stateless=True, json_response=True, max_request_body_size=BODY_BYTES
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)
