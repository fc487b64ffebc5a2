"""MCP over HTTP: one address that takes every message of the protocol, and what tells agents how to sign in."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec
from anyio import to_thread
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from penstock.client import Client, connect
from penstock.foundation.callers import Right
from penstock.foundation.outbound import Policy
from penstock.foundation.redaction import Redactor
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.services.login.interface import OAUTH_SCOPES, PATH_OF_MCP, find_mcp_resource
from penstock.services.mcp.auth import METADATA
from penstock.services.mcp.calls import Calls
from penstock.services.mcp.errors import ForeignOrigin, TooManyCalls
from penstock.web.addresses import PATH_PREFIX, WELL_KNOWN
from penstock.web.auth.session import origin_of
from penstock.web.auth.storage_token import PERSONAL
from penstock.web.bodies import read_body
from penstock.web.errors import to_response, with_status_code
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

if TYPE_CHECKING:
    from penstock.mcp.server import Caller

MESSAGE_BYTES = 4 << 20
READ_ONLY_HEADER = "x-penstock-read-only"
_OFF = ("", "0", "false", "no")


def routes() -> list[Route]:
    """The tools check rights by what they call: every token may list and call those that it may use."""
    agents = AgentRoutes()
    return [
        post(
            PATH_OF_MCP, agents.answer, needs=Right.TOKEN, is_documented=False, only_reads=True, works_on_full_disk=True
        ),
        get(f"{WELL_KNOWN}{METADATA}", describe_resource, needs=Right.PUBLIC, is_documented=False),
        get(f"{WELL_KNOWN}{METADATA}{PATH_OF_MCP}", describe_resource, needs=Right.PUBLIC, is_documented=False),
        health_check(description_of("mcp")),
        description("mcp"),
    ]


class ProtectedResource(msgspec.Struct, frozen=True, kw_only=True):
    """RFC 9728."""

    resource: str
    authorization_servers: list[str]
    scopes_supported: tuple[str, ...] = OAUTH_SCOPES
    bearer_methods_supported: tuple[str, ...] = ("header",)
    resource_name: str = "Penstock"


def describe_resource(request: Request) -> ProtectedResource:
    """Which server issues tokens for these tools."""
    return ProtectedResource(
        resource=find_mcp_resource(request.addresses),
        authorization_servers=[request.addresses.url_of(STORAGE)],
    )


class AgentRoutes:
    """The calls that run in one server."""

    def __init__(self) -> None:
        self._calls = Calls()

    async def answer(self, request: Request, http: HttpRequest) -> Response:
        """One message of an agent, with the response to it."""
        _check_origin(http, request.stack.domain)
        is_read_only = http.headers.get(READ_ONLY_HEADER, "").strip().lower() not in _OFF
        # Not by the SDK: here it counts as memory of the project.
        content = await read_body(http, MESSAGE_BYTES)
        return _AgentResponse(self._calls, request, content, is_read_only=is_read_only)


class _AgentResponse(Response):
    """Made by the SDK of the protocol, which is imported with the first request: that takes over a second."""

    def __init__(self, calls: Calls, request: Request, content: bytes, *, is_read_only: bool) -> None:
        super().__init__()
        self._calls, self._request, self._content, self._is_read_only = calls, request, content, is_read_only
        self._run_in_thread = partial(calls.run, request.caller.project_id)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await to_thread.run_sync(_load)
        from penstock.mcp import http

        try:
            with self._calls.parsing(self._request.caller.project_id, len(self._content)):
                await http.serve(self._caller(), self._run_in_thread, scope, _repeat(self._content, receive), send)
        except TooManyCalls as error:
            await to_response(error, with_status_code)(scope, receive, send)

    def _caller(self) -> Caller:
        from penstock.mcp.server import Caller

        token = self._request.token
        return Caller(
            partial(_connect, self._request.stack, token, self._request.caller.project_id),
            Redactor([token, token.rpartition("-")[2]]),
            is_read_only=self._is_read_only,
        )


def _repeat(content: bytes, receive: Receive) -> Receive:
    """A body that was read, and then what comes behind it: the end of the connection."""
    messages: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _load() -> None:
    import penstock.mcp.http  # noqa: F401  # pyright: ignore[reportUnusedImport]


def _connect(stack: Stack, token: str, project_id: int) -> Client:
    """The caller's own client of this stack, at the address that it listens on; only with the caller's own token. One
    of a person opens several projects, so the client names the project of the request."""
    project = str(project_id) if token.startswith(PERSONAL) else ""
    address = stack.outbound.own_hosts[service_host("sample", stack.domain)]
    return connect(f"http://{address}{PATH_PREFIX}{STORAGE}", token, project=project, policy=Policy(is_open=True))


def _check_origin(http: HttpRequest, domain: str) -> None:
    """A browser names the page that sends a request: a page of another site must not use an agent's token, or reach a
    stack through a name of its own."""
    origin = http.headers.get("origin")
    if origin is None:
        return
    there = origin_of(origin)
    host = there.hostname or ""
    if there.netloc != http.headers.get("host", "") and host != domain and not host.endswith(f".{domain}"):
        raise ForeignOrigin(origin[:200])
