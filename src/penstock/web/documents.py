"""Responses that are the same for all callers: each is made and compressed once, and its bytes are kept.

They need no token, and some take a tenth of a second to make. Clients choose the port, and some of the host name, in
the addresses of a document: so it is made with marks in their place, and for each client the marks are replaced.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

import msgspec
from anyio import Event
from starlette.responses import Response

from penstock.foundation.errors import AppError
from penstock.web.addresses import Addresses
from penstock.web.compression import GZIP_FROM, compress
from penstock.web.fair_threads import TooBusy
from penstock.web.request_threads import WorkQueue
from penstock.web.unread import PublicResponse

MAX_CACHED_BYTES = 32 * 1024 * 1024
_MARK = f"penstock-{secrets.token_hex(8)}"
_SCHEME, _PORT, _BARE = f"{_MARK}-scheme", f":{_MARK}-port", f"{_MARK}-bare"

Make = Callable[[Addresses], bytes]


class Content(msgspec.Struct, frozen=True):
    body: bytes
    version: int | None
    """Of what it was made from."""
    is_compressed: bool = False

    def to_response(self) -> Response:
        headers = {"content-type": "application/json", "x-frame-options": "DENY", "vary": "Accept-Encoding"}
        encoding = {"content-encoding": "gzip"} if self.is_compressed else {}
        return PublicResponse(self.body, headers={**headers, **encoding})


class Requested(msgspec.Struct, frozen=True):
    """Which document a client asks for, and how it is to be sent."""

    name: Hashable
    version: int | None
    """None: it is not known, and nothing that was kept is used."""
    addresses: Addresses
    takes_gzip: bool

    @property
    def key(self) -> Hashable:
        return self.name, self.addresses, self.takes_gzip


class _Making:
    """A document that is being made, for all requests that came in the meantime."""

    def __init__(self) -> None:
        self.is_over = Event()
        self.outcome: Content | AppError = TooBusy()


class Documents:
    """`get` is used by one event loop, the rest by threads."""

    def __init__(self) -> None:
        self._finished, self._marked = ContentCache(), ContentCache()
        self._making: dict[Hashable, _Making] = {}
        self._lock = threading.Lock()

    async def get(self, requested: Requested, queue: WorkQueue, make: Make) -> Response:
        content = self._finished.get(requested.key, requested.version)
        return (content or await self._share(requested, queue, make)).to_response()

    async def _share(self, requested: Requested, queue: WorkQueue, make: Make) -> Content:
        """Make it, or wait for the request that does."""
        key = requested.key, requested.version
        if making := self._making.get(key):
            await making.is_over.wait()
        else:
            making = self._making[key] = _Making()
            try:
                making.outcome = await queue.run(self._finish, requested, make)
            except AppError as error:
                making.outcome = error
            finally:
                del self._making[key]
                making.is_over.set()
        if isinstance(making.outcome, AppError):
            raise making.outcome
        return making.outcome

    def _finish(self, requested: Requested, make: Make) -> Content:
        marked = self._get_marked(requested, make)
        content = Content(_replace_marks(marked.body, requested.addresses), requested.version)
        if requested.takes_gzip and len(content.body) >= GZIP_FROM:
            content = Content(compress(content.body), requested.version, is_compressed=True)
        self._finished.put(requested.key, content)
        return content

    def _get_marked(self, requested: Requested, make: Make) -> Content:
        """The document with marks in place of what clients choose; there are two forms of addresses."""
        addresses = requested.addresses
        bare = None if addresses.bare is None else _BARE
        key = requested.name, addresses.domain, bare
        with self._lock:
            content = self._marked.get(key, requested.version)
            if not content:
                content = Content(make(Addresses(_SCHEME, _PORT, addresses.domain, bare)), requested.version)
                self._marked.put(key, content)
            return content


class ContentCache:
    """Contents by key; when they are too large together, those that were not used for longest are dropped."""

    def __init__(self, max_bytes: int = MAX_CACHED_BYTES) -> None:
        self._contents: OrderedDict[Hashable, Content] = OrderedDict()
        self._max_bytes, self.size = max_bytes, 0
        self._lock = threading.Lock()

    def get(self, key: Hashable, version: int | None) -> Content | None:
        with self._lock:
            content = self._contents.get(key)
            if not content or version is None or content.version != version:
                return None
            self._contents.move_to_end(key)
            return content

    def put(self, key: Hashable, content: Content) -> None:
        with self._lock:
            self._drop(key)
            self._contents[key] = content
            self.size += len(content.body)
            while self.size > self._max_bytes:
                self._drop(next(iter(self._contents)))

    def _drop(self, key: Hashable) -> None:
        if content := self._contents.pop(key, None):
            self.size -= len(content.body)


def _replace_marks(body: bytes, addresses: Addresses) -> bytes:
    """Host names and ports have no characters that JSON escapes."""
    for mark, text in ((_SCHEME, addresses.scheme), (_PORT, addresses.port), (_BARE, addresses.bare or "")):
        body = body.replace(mark.encode(), text.encode())
    return body
