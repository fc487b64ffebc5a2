"""Whose request it is: a Storage token, or a token of a person. An agent without one is told where a person lets it in
(docs/mcp.md)."""

from __future__ import annotations

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.services.login.interface import PATH_OF_MCP
from penstock.web.addresses import Addresses
from penstock.web.auth.scheme import FindCaller, Scheme
from penstock.web.auth.storage_token import storage_token

METADATA = "oauth-protected-resource"


def token_with_challenge(find_caller: FindCaller) -> Scheme:
    usual = storage_token(find_caller)

    def challenge(http: HttpRequest) -> str:
        """Return where the metadata of this resource is (RFC 9728), and whether the token is what was wrong (RFC
        6750)."""
        addresses: Addresses = http.scope["penstock.addresses"]
        place = f'Bearer resource_metadata="{addresses.well_known_of(METADATA, "mcp", PATH_OF_MCP)}"'
        return f'{place}, error="invalid_token"' if usual.find_credential(http) else place

    return msgspec.structs.replace(usual, challenge=challenge)
