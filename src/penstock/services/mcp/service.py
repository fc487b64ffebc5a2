"""What the stack has to know of MCP."""

from __future__ import annotations

from penstock.services.mcp.auth import storage_token_or_bearer
from penstock.services.mcp.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="mcp",
        name="MCP server",
        routes=routes(),
        auth=storage_token_or_bearer(authenticate),
        errors=with_status_code,
    )
