"""The gate's aiohttp sessions, and the one case in which a request is sent twice.

A pooled connection may be closed just when it is reused, so idempotent requests (GET, PUT, DELETE, …) are then sent
once more. aiohttp would do so on new connections too, where the host has received the request and chose to close: there
retrying is the caller's decision, which counts attempts.
"""

from __future__ import annotations

import socket
from contextvars import ContextVar

from penstock.foundation.outbound.headers import DEFAULTS
from penstock.foundation.outbound.quick_start import aiohttp

_MAX_HEADER_LINE = 1 << 16
_MAX_HEADERS = 512

_AddressInfo = tuple[int, int, int, str, tuple[str | int, ...]]
_opened: ContextVar[list[str]] = ContextVar("opened")


class HungUp(aiohttp.ClientError):
    """The host closed a new connection, for this reason; no aiohttp code sends the request again."""

    def __init__(self, reason: Exception) -> None:
        super().__init__()
        self.reason = reason


def open_session(connector: aiohttp.BaseConnector) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=connector,
        headers=DEFAULTS,
        cookie_jar=aiohttp.DummyCookieJar(),
        middlewares=(_send_once_if_new,),
        auto_decompress=False,
        trust_env=False,
        max_line_size=_MAX_HEADER_LINE,
        max_field_size=_MAX_HEADER_LINE,
        max_headers=_MAX_HEADERS,
    )


def note_opened() -> None:
    """Record that the current request uses a new connection; connectors call it."""
    _opened.get([]).append("")


def new_socket(address: _AddressInfo) -> socket.socket:
    note_opened()
    family, kind, protocol, *_ = address
    return socket.socket(family, kind, protocol)


async def _send_once_if_new(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    opened: list[str] = []
    token = _opened.set(opened)
    try:
        return await send(request)
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        if opened:
            raise HungUp(error) from None
        raise
    finally:
        _opened.reset(token)
