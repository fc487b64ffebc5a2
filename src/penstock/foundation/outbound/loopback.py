"""Plain HTTP to this machine, for synchronous code: commands, and programs that use the client.

The gate needs aiohttp, whose import takes longer than most requests to a local stack. There is nothing to check or to
negotiate here: no name is looked up, no proxy is used, and there is no TLS. Errors are those of the gate.
"""

from __future__ import annotations

import http.client
import os
import select
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, Protocol, cast
from urllib.parse import urlsplit

import msgspec

from penstock.foundation.outbound.addresses import read_address
from penstock.foundation.outbound.errors import Kind, TimedOut, Unreachable
from penstock.foundation.outbound.policy import Policy

ADDRESSES = ("127.0.0.1", "::1")
_PIECE = 1 << 20
_IDEMPOTENT = ("GET", "HEAD", "PUT", "DELETE")
_REDIRECTS = (301, 302, 303, 307, 308)


class Writable(Protocol):
    def write(self, piece: bytes) -> None: ...


class LocalResponse(msgspec.Struct, frozen=True):
    """A response, whatever its status. `headers` ignores case."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_redirect(self) -> bool:
        return self.status in _REDIRECTS and "Location" in self.headers


class _Place(NamedTuple):
    host: str
    port: int


def is_local(policy: Policy, url: str) -> bool:
    """Whether it is plain HTTP to this machine, and the policy has no rule of its own for that."""
    if not policy.is_open or policy.own_hosts or policy.own_names or policy.own_ports or policy.mark:
        return False
    target = urlsplit(url)
    host = target.hostname or ""
    address = read_address(host)
    is_loopback = address.is_loopback if address else host == "localhost" or host.endswith(".localhost")
    return target.scheme == "http" and is_loopback


class Loopback:
    """Connections to servers on this machine, for any number of threads. They are kept open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[_Place, list[http.client.HTTPConnection]] = {}

    def close(self) -> None:
        with self._lock:
            for connections in self._idle.values():
                for connection in connections:
                    connection.close()
            self._idle.clear()

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout: float = 300.0,
        into: Writable | None = None,
    ) -> LocalResponse:
        """`timeout` is for each wait for the server, in seconds. With `into`, the body is written there as it arrives,
        and that of the response is empty, unless it is a redirect."""
        target = urlsplit(url)
        place = _Place(target.hostname or "", target.port or 80)
        path = f"{target.path or '/'}?{target.query}" if target.query else target.path or "/"
        sent = {"Host": target.netloc, "User-Agent": "penstock", **headers}
        with _explained(place, timeout, "receive"):
            connection, response = self._exchange(place, timeout, (method, path, body, sent))
        try:
            received = _read(response, place, timeout, None if response.status in _REDIRECTS else into)
        except BaseException:
            connection.close()
            raise
        self._give_back(place, connection)
        headers = cast("Mapping[str, str]", response.headers)  # it has the methods of one
        return LocalResponse(response.status, response.reason, headers, received)

    def _exchange(
        self, place: _Place, timeout: float, request: tuple[str, str, bytes | None, Mapping[str, str]]
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        if connection := self._find_idle(place, timeout):
            try:
                return connection, _request(connection, request)
            except ConnectionError:
                # The server closed it just now, and has most likely not seen the request.
                if request[0] not in _IDEMPOTENT:
                    raise
        connection = _connect(place, timeout)
        return connection, _request(connection, request)

    def _find_idle(self, place: _Place, timeout: float) -> http.client.HTTPConnection | None:
        with self._lock:
            idle = self._idle.get(place, [])
            while idle:
                connection = idle.pop()
                # If something can be read, the server has closed it.
                if not select.select([connection.sock], [], [], 0)[0]:
                    connection.sock.settimeout(timeout)
                    return connection
                connection.close()
        return None

    def _give_back(self, place: _Place, connection: http.client.HTTPConnection) -> None:
        if connection.sock:  # None if the server does not want to be called again
            with self._lock:
                self._idle.setdefault(place, []).append(connection)


def _connect(place: _Place, timeout: float) -> http.client.HTTPConnection:
    """Names are those of both addresses."""
    addresses = (place.host,) if read_address(place.host) else ADDRESSES
    failures: list[OSError] = []
    for address in addresses:
        connection = http.client.HTTPConnection(address, place.port, timeout=timeout)
        try:
            connection.connect()
        except OSError as error:
            failures.append(error)
        else:
            return connection
    words = f"Failed to connect to {place.host} port {place.port}: {_words(failures[0])}"
    raise Unreachable("connect", words) from None


def _request(
    connection: http.client.HTTPConnection, request: tuple[str, str, bytes | None, Mapping[str, str]]
) -> http.client.HTTPResponse:
    method, path, body, headers = request
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        if response.length is None and not response.chunked:
            raise http.client.HTTPException  # whether the body is complete could not be known
        return response
    except BaseException:
        connection.close()
        raise


def _read(response: http.client.HTTPResponse, place: _Place, timeout: float, into: Writable | None) -> bytes:
    if into is None:
        with _explained(place, timeout, "cut"):
            return response.read()
    for piece in _pieces(response, place, timeout):
        into.write(piece)  # its errors are not those of the connection
    return b""


def _pieces(response: http.client.HTTPResponse, place: _Place, timeout: float) -> Generator[bytes]:
    with _explained(place, timeout, "cut"):
        while piece := response.read(_PIECE):
            yield piece
        if response.length:  # what is missing is not reported by a read() of some bytes
            raise http.client.IncompleteRead(b"", response.length)


@contextmanager
def _explained(place: _Place, timeout: float, lost: Kind) -> Generator[None]:
    """The errors of the connection as those of the gate; `lost` is the kind if the connection was."""
    try:
        yield
    except TimeoutError:
        raise TimedOut(f"{place.host} did not finish its response within {timeout:g} seconds.") from None
    except http.client.RemoteDisconnected:
        raise Unreachable("empty", f"{place.host} closed the connection before it responded.") from None
    except http.client.IncompleteRead:
        raise _cut(place) from None
    except OSError as error:
        words = f"The connection to {place.host} was lost: {_words(error)}"
        raise (_cut(place) if lost == "cut" else Unreachable(lost, words)) from None
    except (http.client.HTTPException, ValueError):
        raise Unreachable("protocol", f"{place.host} did not respond with valid HTTP.") from None


def _cut(place: _Place) -> Unreachable:
    return Unreachable("cut", f"The response of {place.host} is cut short: the connection ended before the body did.")


def _words(error: OSError) -> str:
    return (os.strerror(error.errno) if error.errno else str(error)).lower()
