"""What the stack has to know of MCP."""

from __future__ import annotations

from penstock.services.mcp.auth import token_with_challenge
from penstock.services.mcp.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="mcp",
        name="MCP server",
        routes=routes(),
        auth=token_with_challenge(authenticate),
        errors=with_status_code,
    )
