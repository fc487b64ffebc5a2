"""Requests to a stack, through the gate unless it runs on this machine: JSON in, models or errors out."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, TypeVar
from urllib.parse import urlencode

import msgspec

from penstock.client.errors import NotAStack, StackUnreachable, refused
from penstock.foundation.outbound import OutboundError, Policy
from penstock.foundation.outbound.loopback import LocalRequest, LocalResponse, Loopback, find_local

if TYPE_CHECKING:
    from penstock.foundation.outbound import Gate
    from penstock.foundation.outbound import Response as GateResponse

    Response: TypeAlias = GateResponse | LocalResponse

T = TypeVar("T")

PAUSES = (0.25, 0.5, 1.0, 2.0)
"""Seconds before each retry: together about the time a stack takes to restart."""

_RETRIED_KINDS = ("connect", "empty", "receive", "cut", "timeout")
_RETRIED_STATUSES = (502, 503, 504)
_CONNECT_SECONDS, _ANSWER_SECONDS, _RANGE_SECONDS, _UPLOAD_SECONDS = 10.0, 60.0, 300.0, 1800.0
_DOWNLOAD_SECONDS = 6 * 3600.0
_MAX_BYTES, _MAX_FILE_BYTES = 1 << 30, 1 << 50
_NO_HEADERS: Mapping[str, str] = {}


class Problem(msgspec.Struct, frozen=True, rename="camel"):
    """The error format of services. That of `query` has its message in `exception`, and a number in `error`."""

    error: str | int = ""
    message: str = ""
    exception: str = ""
    exception_id: str | None = None


class _FileSink:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, piece: bytes) -> None:
        self._file.write(piece)


class Transport:
    """Connections, and one token. A GET, and the upload of a blob, is retried when that may help; nothing
    else is."""

    def __init__(self, token: str, policy: Policy, pauses: Sequence[float] = PAUSES, project: str = "") -> None:
        self.token = token
        self._credentials, self._pauses = _credentials(token, project), tuple(pauses)
        self._policy, self._lock = policy, threading.Lock()
        self._loopback = Loopback()
        self._opened_gate: Gate | None = None
        # A script may end without closing the client, and unclosed connections would print warnings.
        atexit.register(self.close)

    def close(self) -> None:
        atexit.unregister(self.close)
        self._loopback.close()
        if self._opened_gate:
            from penstock.foundation.outbound import call

            call(self._opened_gate.__aexit__(None, None, None))

    def get(self, url: str, into: type[T], query: Mapping[str, object] | None = None, *, is_public: bool = False) -> T:
        address = f"{url}?{urlencode(query, doseq=True)}" if query else url
        return _decode(self._send_again("GET", address, is_public), url, into)

    def get_bytes(self, url: str) -> bytes:
        """A public resource, as bytes."""
        return self._send_again("GET", url, is_public=True).body

    def download(self, url: str, target: Path) -> None:
        """Write a response into a file as it arrives. It is not retried: the service would make the file again."""
        headers = {"Accept": "*/*", **self._own_headers(None, False)}
        try:
            with target.open("wb") as file:
                response = self._exchange("GET", url, headers, seconds=_DOWNLOAD_SECONDS, into=_FileSink(file))
        except OutboundError as error:
            raise StackUnreachable(str(error)) from error
        if response.status >= 400:
            _check(LocalResponse(response.status, response.reason, response.headers, target.read_bytes()), url)

    def get_range(self, url: str, start: int, size: int, version: str = "", *, is_public: bool = True) -> Response:
        """A part of a file; with a version only of that one. From a signed address it is public: without the token."""
        part = {"Range": f"bytes={start}-{start + size - 1}"}
        headers = {**part, "If-Match": version} if version else part
        return self._send_again("GET", url, is_public, headers=headers, seconds=_RANGE_SECONDS)

    def put_blob(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a blob to a signed address, without the token. A repetition has the same effect, so it is retried
        too."""
        self._send_again("PUT", url, True, body, headers)

    def post(self, url: str, body: object, into: type[T]) -> T:
        return _decode(self._send_once("POST", url, msgspec.json.encode(body)), url, into)

    def put(self, url: str, body: object, into: type[T]) -> T:
        return _decode(self._send_once("PUT", url, msgspec.json.encode(body)), url, into)

    def send(self, method: str, url: str, into: type[T], headers: Mapping[str, str], body: bytes | None = None) -> T:
        """Send a request with other credentials than those of a project, which are in `headers`."""
        response = self._send_once(method, url, body, is_public=True, headers=headers, seconds=_UPLOAD_SECONDS)
        return _decode(response, url, into)

    def delete(self, url: str) -> None:
        self._send_once("DELETE", url)

    def delete_later(self, url: str, into: type[T]) -> T:
        """A deletion that responds with a job."""
        return _decode(self._send_once("DELETE", url), url, into)

    def _send_again(
        self,
        method: str,
        url: str,
        is_public: bool,
        body: bytes | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        seconds: float = _ANSWER_SECONDS,
    ) -> Response:
        for pause in self._pauses:
            response = self._try(method, url, is_public, body, headers, seconds)
            if response:
                return response
            time.sleep(pause)
        return self._send_once(method, url, body, is_public=is_public, headers=headers, seconds=seconds)

    def _try(
        self, method: str, url: str, is_public: bool, body: bytes | None, headers: Mapping[str, str], seconds: float
    ) -> Response | None:
        """The response, or None if a retry may help."""
        try:
            response = self._send(method, url, body, is_public, headers, seconds)
        except OutboundError as error:
            if error.kind in _RETRIED_KINDS:
                return None
            raise StackUnreachable(str(error)) from error
        return None if response.status in _RETRIED_STATUSES else _check(response, url)

    def _send_once(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        *,
        is_public: bool = False,
        headers: Mapping[str, str] = _NO_HEADERS,
        seconds: float = _ANSWER_SECONDS,
    ) -> Response:
        try:
            return _check(self._send(method, url, body, is_public, headers, seconds), url)
        except OutboundError as error:
            raise StackUnreachable(str(error)) from error

    def _send(
        self,
        method: str,
        url: str,
        body: bytes | None,
        is_public: bool,
        headers: Mapping[str, str],
        seconds: float = _ANSWER_SECONDS,
    ) -> Response:
        sent = {"Accept": "application/json", **self._own_headers(body, is_public), **headers}
        return self._exchange(method, url, sent, body, seconds)

    def _exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        seconds: float = _ANSWER_SECONDS,
        into: _FileSink | None = None,
    ) -> Response:
        if local := find_local(self._policy, url, headers):
            request = LocalRequest(method, local, headers, body)
            response = self._loopback.send(request, timeout=seconds, into=into)
            # The gate follows redirects. What is not a GET may have been carried out, so it is not sent again.
            if not response.is_redirect or method != "GET":
                return response
        from penstock.foundation.outbound import call

        return call(
            self._gate.send(
                method,
                url,
                headers=headers,
                body=body,
                timeout=seconds,
                connect_timeout=_CONNECT_SECONDS,
                max_bytes=_MAX_FILE_BYTES if into else _MAX_BYTES,
                into=into,
            )
        )

    @property
    def _gate(self) -> Gate:
        """Opened when it is first needed: a local stack does not need it, and it takes long to import."""
        from penstock.foundation.outbound import Gate, call

        with self._lock:
            self._opened_gate = self._opened_gate or call(Gate(self._policy).__aenter__())
            return self._opened_gate

    def _own_headers(self, body: bytes | None, is_public: bool) -> dict[str, str]:
        token = {} if is_public else self._credentials
        return token if body is None else {**token, "Content-Type": "application/json"}


def _credentials(token: str, project: str) -> dict[str, str]:
    if project:
        return {"Authorization": f"Bearer {token}", "X-KBC-ProjectId": project}
    return {"X-StorageApi-Token": token} if token else {}


def _check(response: Response, url: str) -> Response:
    if response.status < 400:
        return response
    problem = _read_problem(response.body)
    sentence = problem.exception or problem.error or problem.message or response.reason or "no reason given"
    raise refused(url, response.status, str(sentence), problem.exception_id)


def _read_problem(body: bytes) -> Problem:
    try:
        return msgspec.json.decode(body, type=Problem)
    except msgspec.MsgspecError:
        # A proxy in between, or not a stack at all: its page would not help the user.
        return Problem()


def _decode(response: Response, url: str, into: Any) -> Any:
    try:
        return msgspec.json.decode(response.body, type=into, strict=False)
    except msgspec.MsgspecError as error:
        raise NotAStack(url, f"its response is not that of a stack ({error})") from error
