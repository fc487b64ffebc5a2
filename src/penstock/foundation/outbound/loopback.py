"""Plain HTTP to this machine, for synchronous code: commands, and programs that use the client.

The gate needs aiohttp, whose import takes longer than most requests to a local stack. There is nothing to check or to
negotiate here: no name is looked up, no proxy is used, and there is no TLS. Anything unusual is left to the gate, and
errors are those of the gate.
"""

from __future__ import annotations

import http.client
import os
import re
import select
import socket
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from penstock.foundation.outbound.addresses import LOOPBACK
from penstock.foundation.outbound.errors import Kind, TimedOut, Unreachable
from penstock.foundation.outbound.headers import DEFAULTS, TOKEN
from penstock.foundation.outbound.policy import Policy

if TYPE_CHECKING:
    from penstock.foundation.outbound.body import Sink

CONNECT_SECONDS = 10.0
_PIECE = 1 << 20
_DEFAULT_PORT = 80
_IDEMPOTENT = ("GET", "HEAD", "PUT", "DELETE")
_URL = re.compile(
    r"http://(127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)*localhost)(?::([1-9][0-9]{0,4}))?(/[^\x00-\x20\"#<>\\^`{|}\x7f-\U0010ffff]*)?"
)
_VALUE = re.compile(r"[\t -~]*")


class LocalUrl(NamedTuple):
    """A URL of this machine."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        return self.host if self.port == _DEFAULT_PORT else f"{self.host}:{self.port}"

    @property
    def addresses(self) -> tuple[str, ...]:
        address = self.host.strip("[]")
        return (address,) if address in LOOPBACK else LOOPBACK


class LocalRequest(NamedTuple):
    method: str
    url: LocalUrl
    headers: Mapping[str, str]
    body: bytes | None = None


class LocalResponse(msgspec.Struct, frozen=True):
    """A response, whatever its status. `headers` ignores case."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_redirect(self) -> bool:
        return _is_redirect(self.status) and "Location" in self.headers


def find_local(policy: Policy, url: str, headers: Mapping[str, str]) -> LocalUrl | None:
    """The URL, if it is plain HTTP to this machine and nothing about the request is unusual; None if the gate has to
    send it."""
    own = policy.own_hosts or policy.own_names or policy.own_endpoints or policy.own_ports
    if not policy.is_open or own or policy.mark:
        return None
    match = _URL.fullmatch(url)
    if not match or any(not TOKEN.fullmatch(name) or not _VALUE.fullmatch(headers[name]) for name in headers):
        return None
    port = int(match[2] or _DEFAULT_PORT)
    return LocalUrl(match[1], port, match[3] or "/") if port < 65536 else None


class Loopback:
    """Connections to servers on this machine, for any number of threads. They are kept open."""

    def __init__(self) -> None:
        self._lock, self._is_closed = threading.Lock(), False
        self._idle: dict[tuple[str, int], list[http.client.HTTPConnection]] = {}

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            for connections in self._idle.values():
                for connection in connections:
                    connection.close()
            self._idle.clear()

    def send(self, request: LocalRequest, *, timeout: float = 300.0, into: Sink | None = None) -> LocalResponse:
        """`timeout` is for each wait for the server, in seconds. With `into`, the body is written there as it arrives,
        and that of the response is empty, unless it is a redirect."""
        if self._is_closed:
            raise RuntimeError("The connections are closed.")
        host = request.url.host
        with _explained(host, timeout, "receive"):
            connection, response = self._exchange(request, timeout)
        try:
            received = _read(response, host, timeout, None if _is_redirect(response.status) else into)
        except BaseException:
            connection.close()
            raise
        self._give_back(request.url, connection)
        headers = cast("Mapping[str, str]", response.headers)  # it has the methods of one
        return LocalResponse(response.status, response.reason, headers, received)

    def _exchange(
        self, request: LocalRequest, timeout: float
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        if connection := self._find_idle(request.url, timeout):
            try:
                return connection, _respond(connection, request)
            except ConnectionError:
                # The server closed it just now, and has most likely not seen the request.
                if request.method not in _IDEMPOTENT:
                    raise
        connection = _connect(request.url, timeout)
        return connection, _respond(connection, request)

    def _find_idle(self, url: LocalUrl, timeout: float) -> http.client.HTTPConnection | None:
        with self._lock:
            idle = self._idle.get((url.host, url.port), [])
            while idle:
                connection = idle.pop()
                if _is_open(connection):
                    connection.sock.settimeout(timeout)
                    return connection
                connection.close()
        return None

    def _give_back(self, url: LocalUrl, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if self._is_closed:
                connection.close()
            elif connection.sock:  # None if the server closes the connection
                self._idle.setdefault((url.host, url.port), []).append(connection)


def _is_redirect(status: int) -> bool:
    return 300 < status < 400 and status != 304


def _is_open(connection: http.client.HTTPConnection) -> bool:
    """If something can be read from an idle connection, the server has closed it."""
    waiting = select.poll()
    waiting.register(connection.sock, select.POLLIN)
    return not waiting.poll(0)


def _connect(url: LocalUrl, timeout: float) -> http.client.HTTPConnection:
    failures: list[OSError] = []
    for address in url.addresses:
        connection = http.client.HTTPConnection(address, url.port)
        try:
            connection.sock = _open_socket(address, url.port)
        except OSError as error:
            failures.append(error)
        else:
            connection.sock.settimeout(timeout)
            return connection
    words = f"Failed to connect to {url.host.strip('[]')} port {url.port}: {_words(failures[0])}"
    raise Unreachable("connect", words) from None


def _open_socket(address: str, port: int) -> socket.socket:
    """Connect without a lookup, for which Python would import the whole of Unicode's rules for names."""
    opened = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        opened.settimeout(CONNECT_SECONDS)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        opened.connect((address, port))
    except BaseException:
        opened.close()
        raise
    return opened


def _respond(connection: http.client.HTTPConnection, request: LocalRequest) -> http.client.HTTPResponse:
    url = request.url
    headers = {"Host": url.authority, "User-Agent": DEFAULTS["User-Agent"], **request.headers}
    try:
        # A server that refuses a large body responds before it has read all of it, and closes the connection.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request(request.method, url.path, request.body, headers)
        response = connection.getresponse()
        if response.length is None and not response.chunked:
            raise http.client.HTTPException  # whether the body is complete could not be known
    except BaseException:
        connection.close()
        raise
    return response


def _read(response: http.client.HTTPResponse, host: str, timeout: float, into: Sink | None) -> bytes:
    if into is None:
        with _explained(host, timeout, "cut"):
            return response.read()
    for piece in _pieces(response, host, timeout):
        into.write(piece)  # its errors are not those of the connection
    return b""


def _pieces(response: http.client.HTTPResponse, host: str, timeout: float) -> Generator[bytes]:
    with _explained(host, timeout, "cut"):
        while piece := response.read(_PIECE):
            yield piece
        if response.length:  # what is missing is not reported by a read() of some bytes
            raise http.client.IncompleteRead(b"", response.length)


@contextmanager
def _explained(host: str, timeout: float, lost: Kind) -> Generator[None]:
    """The errors of the connection as those of the gate; `lost` is the kind if the connection was."""
    try:
        yield
    except TimeoutError:
        raise TimedOut(f"{host} sent nothing for {timeout:g} seconds.") from None
    except http.client.RemoteDisconnected:
        raise Unreachable("empty", f"{host} closed the connection before it responded.") from None
    except http.client.IncompleteRead:
        raise _cut(host) from None
    except OSError as error:
        words = f"The connection to {host} was lost: {_words(error)}"
        raise (_cut(host) if lost == "cut" else Unreachable(lost, words)) from None
    except http.client.HTTPException:
        raise Unreachable("protocol", f"{host} did not respond with valid HTTP.") from None


def _cut(host: str) -> Unreachable:
    return Unreachable("cut", f"The response of {host} is cut short: the connection ended before the body did.")


def _words(error: OSError) -> str:
    return (os.strerror(error.errno) if error.errno else str(error)).lower()
