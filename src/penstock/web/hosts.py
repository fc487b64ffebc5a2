"""Host name or path → service.

A service responds at `<label>.<domain>` and, since such names do not resolve everywhere, under `/_svc/<label>/` on the
bare address: one that the stack listens on, or its `public_url`. Any other host is refused: a page of another site must
not reach a stack through its own name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from penstock.foundation.errors import Forbidden, NotFound
from penstock.foundation.machine import is_this_machine
from penstock.foundation.outbound import MARK
from penstock.foundation.stacks import CONSOLE, PORTAL, STORAGE, service_of_label
from penstock.web.addresses import PATH_PREFIX, WELL_KNOWN, Addresses
from penstock.web.errors import Shape, to_response, with_status_code, with_text_code

SAMPLE = "sample"
DAY_SECONDS = 86_400
LOOPBACK = ("127.0.0.1", "::1")
"""A stack that listens on one of them listens on both."""

_AUTHORITY = re.compile(r"(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?P<port>:[0-9]{1,5})?")

_MARK = MARK.lower().encode()
_HEADERS = frozenset({b"host", b"x-forwarded-proto", b"x-forwarded-host", _MARK})


class NoSuchService(NotFound):
    def __init__(self, location: str) -> None:
        super().__init__(f'No service of this stack answers at "{location}".')


class UnknownHost(NotFound):
    def __init__(self, host: str) -> None:
        super().__init__(
            f'This stack does not answer at "{host}". If that is its address, its operator has to say so: '
            "names are set with `domain`, another address with `public_url`."
        )


class OwnRequest(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "This request comes from a job of this stack, and jobs call no service of it but the sample. "
            "A component that needs Storage gets an address and a token for it with `forward_token`."
        )


class Visit(msgspec.Struct, frozen=True):
    """The address that a request was sent to, as forwarded by a trusted proxy."""

    scheme: str
    host: str
    port: str
    reached: str = ""
    """The address of this machine that the connection came in by, if the server says so."""

    mark: str = ""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}{self.port}"


class HostDispatcher:
    """Sends each request to the service it is for."""

    def __init__(
        self,
        domain: str,
        services: Mapping[str, ASGIApp],
        public_url: str | None,
        proxies: tuple[str, ...],
        *,
        listens_everywhere: bool = False,
        is_own_mark: Callable[[str], bool] = lambda _mark: False,
        hsts_days: int = 0,
        below: Mapping[str, Mapping[str, str]] | None = None,
        at_root: Mapping[str, str] | None = None,
    ) -> None:
        """`is_own_mark` recognizes what the stack's own outbound requests carry: they get the sample, and no other
        service. `below` has the services that answer at the host of another one, by its id and the beginning of their
        paths; `at_root` has the patterns of paths at the root of the bare address, by the service that responds
        there."""
        self._domain = domain.lower()
        self._services = services
        self._public = _split_authority(urlsplit(public_url).netloc.lower())[0] if public_url else None
        self._public_url = public_url.rstrip("/") if public_url else None
        self._proxies = proxies
        self._listens_everywhere, self._is_own_mark, self._below = listens_everywhere, is_own_mark, below or {}
        self._hsts = (
            (b"strict-transport-security", f"max-age={hsts_days * DAY_SECONDS}".encode()) if hsts_days else None
        )
        self._at_root = {service_id: re.compile(pattern) for service_id, pattern in (at_root or {}).items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        visit = _read_visit(scope, self._proxies)
        if self._hsts and visit.scheme == "https":
            send = _with_header(send, self._hsts)
        service_id, changes = self._find(visit, scope["path"])
        path = str(changes.get("path", scope["path"]))
        service_id = self._find_below(service_id, path.removeprefix(str(changes.get("root_path", ""))))
        service_id = _find_page(service_id, scope, changes)
        service = self._services.get(service_id)
        if visit.mark and service_id != SAMPLE and self._is_own_mark(visit.mark):
            await to_response(OwnRequest(), _shape_for(visit.host))(scope, receive, send)
            return
        if service is None and scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
            return
        if service is None:
            location = f"{visit.host}{changes.get('root_path', '')}"
            error = NoSuchService(location) if changes else UnknownHost(visit.host)
            await to_response(error, _shape_for(visit.host))(scope, receive, send)
            return
        there = {"penstock.authority": f"{visit.host}{visit.port}"}
        await service({**scope, **changes, **there}, receive, send)

    def _find(self, visit: Visit, path: str) -> tuple[str, Mapping[str, object]]:
        """The service's id, and the changes to the scope: its addresses and the path that belongs to the stack."""
        label = visit.host.removesuffix(f".{self._domain}")
        if label != visit.host:
            return service_of_label(label), {"penstock.addresses": Addresses(visit.scheme, visit.port, self._domain)}
        if not self._is_bare(visit):
            return "", {}
        bare = self._public_url if visit.host == self._public and self._public_url else visit.origin
        addresses = Addresses(visit.scheme, visit.port, self._domain, bare)
        if path.startswith(WELL_KNOWN):
            path = self._move_well_known(path)
        if not path.startswith(PATH_PREFIX):
            return (PORTAL if path == "/" else self._find_at_root(path)), {"penstock.addresses": addresses}
        name, slash, _ = path[len(PATH_PREFIX) :].partition("/")
        changes = {"penstock.addresses": addresses, "root_path": f"{PATH_PREFIX}{name}"}
        # The bare address of a service is its root, with and without the slash.
        return service_of_label(name), {**changes, "path": path if slash else f"{path}/"}

    def _move_well_known(self, path: str) -> str:
        """`/.well-known/NAME/_svc/mcp/mcp` → `/_svc/mcp/.well-known/NAME/mcp`: metadata about a path of a service has
        its name before that path (RFC 8414, RFC 9728), and the service responds."""
        name, _, rest = path[len(WELL_KNOWN) :].partition("/")
        rest = f"/{rest}".removeprefix(urlsplit(self._public_url or "").path)
        if not rest.startswith(PATH_PREFIX):
            return path
        service, slash, below = rest[len(PATH_PREFIX) :].partition("/")
        return f"{PATH_PREFIX}{service}{WELL_KNOWN}{name}{slash}{below}"

    def _find_at_root(self, path: str) -> str:
        return next((service_id for service_id, is_its in self._at_root.items() if is_its.fullmatch(path)), "")

    def _find_below(self, service_id: str, path: str) -> str:
        """The service that responds at this path of another one's host; mostly that one itself."""
        for start, other in self._below.get(service_id, {}).items():
            if path.startswith(start) and path[len(start) :][:1] in ("", "/"):
                return other
        return service_id

    def _is_bare(self, visit: Visit) -> bool:
        return visit.host in ("localhost", self._domain, self._public) or self._is_own_address(visit)

    def _is_own_address(self, visit: Visit) -> bool:
        address = _read_ip(visit.host)
        if not address:
            return False
        if self._listens_everywhere and is_this_machine(address):
            return True
        return address == visit.reached or {address, visit.reached} == set(LOOPBACK)


def _with_header(send: Send, header: tuple[bytes, bytes]) -> Send:
    async def send_with_header(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), header]
        await send(message)

    return send_with_header


def _find_page(service_id: str, scope: Scope, changes: Mapping[str, object]) -> str:
    """Browsers get the console at the root of the storage host and of the bare address; programs get the index and the
    portal there."""
    root, addresses = str(changes.get("root_path", "")), changes.get("penstock.addresses")
    is_bare = service_id == PORTAL and not root and isinstance(addresses, Addresses) and addresses.bare is not None
    is_root = scope["path"][len(root) :] in ("", "/") and (service_id == STORAGE or is_bare)
    return CONSOLE if is_root and _wants_page(scope) else service_id


def _wants_page(scope: Scope) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _shape_for(host: str) -> Shape:
    """How a client of that host reads errors: Storage's clients expect a word as `code`, all others a number."""
    is_storage = service_of_label(host.partition(".")[0]) == STORAGE
    return with_text_code if is_storage else with_status_code


def _read_visit(scope: Scope, proxies: tuple[str, ...]) -> Visit:
    # The first of several counts.
    headers = {name: value.decode("latin-1") for name, value in [*scope["headers"]][::-1] if name in _HEADERS}
    scheme, authority = str(scope["scheme"]), headers.get(b"host", "")
    client, reached = scope.get("client"), scope.get("server")
    if client and client[0] in proxies:
        scheme = headers.get(b"x-forwarded-proto", scheme).partition(",")[0].strip()
        authority = headers.get(b"x-forwarded-host", authority).partition(",")[0].strip()
    host, port = _split_authority(authority.lower())
    scheme = scheme if scheme in ("http", "https") else "http"
    return Visit(scheme, host, port, str(reached[0]) if reached else "", headers.get(_MARK, ""))


def _split_authority(authority: str) -> tuple[str, str]:
    """`host`, `:port`; empty if it is malformed."""
    match = _AUTHORITY.fullmatch(authority)
    return (match["host"].rstrip("."), match["port"] or "") if match else ("", "")


@lru_cache(256)
def _read_ip(host: str) -> str:
    """An address as the system writes it; nothing if the host is a name."""
    try:
        return str(ip_address(host.strip("[]")))
    except ValueError:
        return ""
