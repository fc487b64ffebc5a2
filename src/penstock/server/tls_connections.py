"""Limits connections of the TLS port, which granian does not expose: they are found among the open files of this
process.

granian ends slow headers of HTTP/1.1 itself. It has no limit for a handshake that never completes, for an idle HTTP/2
connection whose client responds to pings, or for the connections of one address. So its sockets are checked every
second, together with a record of which have requests, and those over a limit are shut down.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from penstock.foundation.admission import Admission
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.machine import network_of
from penstock.server.limits import HEAD_SECONDS, IDLE_SECONDS
from penstock.server.peers import Peer, PeerScan, shut_down
from penstock.server.plain_protocol import find_refusal
from penstock.web.entrance import NO_SNIFFING
from penstock.web.errors import to_response, with_status_code

log = Log("server")


class _Connection:
    def __init__(self, peer: Peer, now: float) -> None:
        self.peer, self.since = peer, now
        self.requests = 0
        self.used: float | None = None
        """When its last request ended."""

    def is_overdue(self, now: float) -> bool:
        if self.requests:
            return False
        return now - self.used > IDLE_SECONDS if self.used is not None else now - self.since > HEAD_SECONDS


class TlsConnections:
    """ASGI middleware that records which connections have requests."""

    def __init__(self, app: ASGIApp, admission: Admission, port: int | None) -> None:
        self._app, self._admission, self._scan = app, admission, PeerScan(port)
        self._by_peer: dict[Peer, _Connection] = {}
        """Changed only by the event loop."""
        self._checking: asyncio.Task[None] | None = None

    @property
    def most(self) -> int:
        return self._admission.most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := _find_refusal(scope)):
            response = to_response(refusal, with_status_code)
            response.raw_headers.append(NO_SNIFFING)
            await response(scope, receive, send)
            return
        client = scope.get("client")
        if not client:
            await self._app(scope, receive, send)
            return
        connection = self._find((str(client[0]), str(client[1])))
        connection.requests += 1
        try:
            await self._app(scope, receive, send)
        finally:
            connection.requests -= 1
            connection.used = time.monotonic()

    def check(self) -> None:
        """Called every second by the event loop; it does not block. No second check starts while one is running."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.ensure_future(self._check())

    async def _check(self) -> None:
        began = time.monotonic()
        try:
            sockets = await asyncio.to_thread(self._scan.find)
        except OSError as error:
            log.warning("check of the TLS connections failed; it is repeated in a second", reason=str(error))
            return
        self._forget(sockets, began)
        excess, overdue = await asyncio.to_thread(self._choose, [self._find(peer) for peer in sockets])
        for each in excess:
            self._admission.note_refused(each.peer[0])
        # A request may have come in the meantime.
        for each in (*excess, *(each for each in overdue if not each.requests)):
            shut_down(sockets[each.peer], each.peer)

    def _forget(self, sockets: Collection[Peer], began: float) -> None:
        """Drop connections that are gone. Those newer than the scan are not in its result."""
        self._by_peer = {
            peer: each
            for peer, each in self._by_peer.items()
            if each.requests or each.since >= began or peer in sockets
        }

    def _choose(self, connections: Sequence[_Connection]) -> tuple[list[_Connection], list[_Connection]]:
        """Connections over the limit of their address, and those idle for too long. Of an address with too many, those
        without a request are closed, the newest first."""
        count, now = Counter[str](), time.monotonic()
        excess, overdue = list[_Connection](), list[_Connection]()
        for each in sorted(connections, key=lambda each: (not each.requests, each.since)):
            address = each.peer[0]
            network = network_of(address)
            count[network] += 1
            if count[network] > self._admission.per_address and self._admission.limits(address):
                excess.append(each)
            elif each.is_overdue(now):
                overdue.append(each)
        return excess, overdue

    def _find(self, peer: Peer) -> _Connection:
        connection = self._by_peer.get(peer)
        if connection is None:
            connection = self._by_peer[peer] = _Connection(peer, time.monotonic())
        return connection


def _find_refusal(scope: Scope) -> AppError | None:
    url_bytes = len(scope["raw_path"]) + len(scope["query_string"])
    return find_refusal(scope["http_version"], url_bytes, scope["headers"])
