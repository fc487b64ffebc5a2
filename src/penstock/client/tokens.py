"""The tokens of a project."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from penstock.client.models import NewToken, Token
from penstock.client.transport import Transport


class Tokens:
    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = f"{url}/v2/storage/tokens", transport

    def create(
        self,
        description: str = "",
        *,
        expires_in: int | None = None,
        read: Sequence[str] = (),
        write: Sequence[str] = (),
        components: Sequence[str] = (),
        manage_buckets: bool = False,
    ) -> Token:
        """Create a token that may read or write these buckets and run these components; its secret is returned only
        now."""
        permissions = dict.fromkeys(read, "read") | dict.fromkeys(write, "write")
        request = NewToken(
            description=description,
            bucket_permissions=permissions,
            component_access=list(components),
            can_manage_buckets=manage_buckets,
            expires_in=expires_in,
        )
        return self._transport.post(self._url, request, Token)

    def list(self) -> list[Token]:
        return self._transport.get(self._url, list[Token])

    def verify(self) -> Token:
        """The token of this client."""
        return self._transport.get(f"{self._url}/verify", Token)

    def revoke(self, token_id: str) -> None:
        """Revoke the token; it stops working immediately."""
        self._transport.delete(f"{self._url}/{quote(token_id, safe='')}")
