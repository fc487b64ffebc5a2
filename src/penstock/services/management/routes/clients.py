"""What a response depends on besides the caller: the client that reads it."""

from __future__ import annotations

from penstock.web.requests import Request

STRICT = "OpenAPI-Generator"
"""What the User-Agent begins with of generated clients, which refuse keys that they do not know."""


def is_strict(request: Request) -> bool:
    origin = request.identity.origin
    return bool(origin) and origin.user_agent.startswith(STRICT)
