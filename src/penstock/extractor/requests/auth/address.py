"""The parts of a URL that are signed, or that functions can refer to."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import flat
from penstock.extractor.base.http import Message
from penstock.extractor.requests.sending.query import parse_query, with_query
from penstock.extractor.requests.sending.url import DEFAULT_PORTS


class Address(msgspec.Struct, frozen=True):
    scheme: str
    host: str
    """In lower case; an IPv6 address in brackets."""
    port: int
    path: str
    query: str

    @property
    def authority(self) -> str:
        """Returns host and port as in the Host header: without the default port."""
        return self.host if self.port == DEFAULT_PORTS.get(self.scheme) else f"{self.host}:{self.port}"

    @property
    def without_query(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def resource(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


def read_address(url: str) -> Address:
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        # Without its query, which may contain credentials.
        raise UserError(f"Unable to parse URI: {with_query(url, '')}") from None
    name = parts.hostname or ""
    host = f"[{name}]" if ":" in name else name
    return Address(parts.scheme, host, port, parts.path or "/", parts.query)


def request_contexts(message: Message) -> dict[str, dict[str, Any]]:
    """Returns the values of the request that functions of an authentication method can refer to."""
    address = read_address(message.url)
    request = {
        "url": f"{address.scheme}://{address.authority}{address.resource}",
        "path": address.path,
        "queryString": address.query,
        "method": message.method,
        "hostname": address.host,
        "port": address.port,
        "resource": address.resource,
    }
    return {"query": flat(parse_query(address.query)), "request": request}
