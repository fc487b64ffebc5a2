"""Whose request it is: a Storage token in its usual header, or as a bearer token, since many agents can send only that.
An agent that has none is told where it gets one: a person lets it in (docs/mcp.md).

There is no other: a request without a token is refused, and nothing is done with a token of the stack.
"""

from __future__ import annotations

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.services.management.interface import PATH_OF_MCP
from penstock.web.addresses import Addresses
from penstock.web.auth.bearer import bearer
from penstock.web.auth.scheme import FindCaller, Scheme
from penstock.web.auth.storage_token import storage_token

METADATA = "oauth-protected-resource"


def storage_token_or_bearer(find_caller: FindCaller) -> Scheme:
    usual, as_bearer = storage_token(find_caller), bearer(find_caller)

    def find_credential(http: HttpRequest) -> str:
        return usual.find_credential(http) or as_bearer.find_credential(http)

    def challenge(http: HttpRequest) -> str:
        """Where the metadata of this resource is (RFC 9728), and whether the token is what was wrong (RFC 6750)."""
        addresses: Addresses = http.scope["penstock.addresses"]
        place = f'Bearer resource_metadata="{addresses.well_known_of(METADATA, "mcp", PATH_OF_MCP)}"'
        return f'{place}, error="invalid_token"' if find_credential(http) else place

    return msgspec.structs.replace(usual, find_credential=find_credential, challenge=challenge)
