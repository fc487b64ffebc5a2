"""Connections of the TLS port, which granian accepts and does not show: found among the open files of this process.

granian ends slow headers of HTTP/1.1 by itself. It knows no limit for a handshake that never ends, for an idle HTTP/2
connection whose client answers pings, or for the connections of one address. So its sockets are looked at every second,
beside a note of which of them have requests, and those over a limit are shut down.
"""

from __future__ import annotations

import os
import socket
import stat
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from penstock.foundation.errors import AppError
from penstock.server.admission import Admission, network_of
from penstock.server.limits import HEAD_SECONDS, IDLE_SECONDS
from penstock.server.plain_protocol import find_refusal
from penstock.web.entrance import NO_SNIFFING
from penstock.web.errors import to_response, with_status_code

OPEN_FILES = Path("/dev/fd")

Peer = tuple[str, str]
"""An address and a port, as granian tells an application."""


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
    """An application around the stack's, which notes whose requests there are."""

    def __init__(self, app: ASGIApp, admission: Admission, port: int | None) -> None:
        self._app, self._admission, self._port = app, admission, port
        self._by_peer: dict[Peer, _Connection] = {}
        self._known: dict[int, Peer | None] = {}
        """By inode: whose connection a socket is; None of sockets of others."""

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
        """Called every second."""
        now, found = time.monotonic(), dict(self._list_sockets())
        self._by_peer = {peer: each for peer, each in self._by_peer.items() if peer in found or each.requests}
        count = Counter[str]()
        # The oldest first: whoever comes when there are too many has to go.
        for each in sorted(map(self._find, found), key=lambda each: (not each.requests, each.since)):
            count[network_of(each.peer[0])] += 1
            is_over = self._is_over(each, count)
            if is_over:
                self._admission.note_refused(each.peer[0])
            if is_over or each.is_overdue(now):
                _shut_down(found[each.peer], each.peer)

    def _is_over(self, connection: _Connection, count: Counter[str]) -> bool:
        address = connection.peer[0]
        return self._admission.limits(address) and count[network_of(address)] > self._admission.per_address

    def _find(self, peer: Peer) -> _Connection:
        found = self._by_peer.get(peer)
        if found is None:
            found = self._by_peer[peer] = _Connection(peer, time.monotonic())
        return found

    def _list_sockets(self) -> Iterator[tuple[Peer, int]]:
        """Whose connections there are, and their file numbers."""
        known, self._known = self._known, {}
        for path in OPEN_FILES.iterdir():
            with suppress(OSError, ValueError):
                number = int(path.name)
                status = os.fstat(number)
                if not stat.S_ISSOCK(status.st_mode):
                    continue
                inode = status.st_ino
                peer = self._known[inode] = known[inode] if inode and inode in known else self._find_peer(number)
                if peer:
                    yield peer, number

    def _find_peer(self, number: int) -> Peer | None:
        try:
            with socket.socket(fileno=os.dup(number)) as copy:
                if copy.family not in (socket.AF_INET, socket.AF_INET6) or copy.getsockname()[1] != self._port:
                    return None
                address, port = copy.getpeername()[:2]
        except OSError:
            return None  # one that listens, or is gone already
        return str(address), str(port)


def _shut_down(number: int, peer: Peer) -> None:
    """Both ways, through a copy: granian sees the end and closes its own. Another file may have the number by now."""
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as copy:
        if tuple(map(str, copy.getpeername()[:2])) == peer:
            copy.shutdown(socket.SHUT_RDWR)


def _find_refusal(scope: Scope) -> AppError | None:
    return find_refusal(len(scope["raw_path"]) + len(scope["query_string"]), scope["headers"])
