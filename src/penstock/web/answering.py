"""One request, from the matched row to the answer: who asks, may they, what do they say, what do we reply.

Who asks is settled before the body is read. Handlers are plain functions and run in the thread pool.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Caller, Right
from penstock.foundation.errors import Forbidden, Unauthorized
from penstock.foundation.stack import Stack
from penstock.web.bodies import parse_body, parse_query, read_body, to_model
from penstock.web.listing import Listing
from penstock.web.requests import NOBODY, Authenticate, Request, Text
from penstock.web.routing import Route

TOKEN_HEADER = "x-storageapi-token"  # noqa: S105
SAFE = {"x-content-type-options": "nosniff", "x-frame-options": "DENY"}


class MissingToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Access token must be set")


class NotAllowed(Forbidden):
    def __init__(self) -> None:
        super().__init__("You don't have access to the resource.")


class Answering(msgspec.Struct, frozen=True):
    """What every endpoint of a service needs."""

    stack: Stack
    services: tuple[Listing, ...]
    authenticate: Authenticate
    body_limit: int
    lake_threads: CapacityLimiter

    def endpoint(self, row: Route) -> Callable[[HttpRequest], Awaitable[Response]]:
        async def answer(http: HttpRequest) -> Response:
            if not row.body:
                return await to_thread.run_sync(self._answer_at_once, row, http, limiter=limiter)
            caller = await to_thread.run_sync(self._identify, row, http)
            content = await read_body(http, self.body_limit)
            return await to_thread.run_sync(self._respond, row, http, caller, content, limiter=limiter)

        # Reading tables may take long: that has threads of its own, so that nothing else waits for it.
        limiter = self.lake_threads if row.uses_lake else None
        return answer

    def _answer_at_once(self, row: Route, http: HttpRequest) -> Response:
        return self._respond(row, http, self._identify(row, http), b"")

    def _identify(self, row: Route, http: HttpRequest) -> Caller:
        if row.needs is Right.PUBLIC:
            return NOBODY
        token = http.headers.get(TOKEN_HEADER)
        if not token:
            raise MissingToken
        caller = self.authenticate(self.stack, token)
        if not caller.has(row.needs):
            raise NotAllowed
        return caller

    def _respond(self, row: Route, http: HttpRequest, caller: Caller, content: bytes) -> Response:
        query, kind = http.scope["query_string"].decode("latin-1"), http.headers.get("content-type", "")
        request = Request(
            stack=self.stack,
            services=self.services,
            addresses=http.scope["penstock.addresses"],
            caller=caller,
            token=http.headers.get(TOKEN_HEADER, ""),
            path=http.path_params,
            query=to_model(parse_query(query), row.query) if row.query else None,
            body=to_model(parse_body(content, kind), row.body) if row.body else None,
        )
        return _to_response(row, row.handler(request))


def _to_response(row: Route, answer: Any) -> Response:
    if answer is None:
        return Response(status_code=204)
    if isinstance(answer, Text):
        return Response(answer.content, row.status, headers={"content-type": answer.media_type, **SAFE})
    # Exactly this content type: one official client compares the whole header.
    return Response(msgspec.json.encode(answer), row.status, headers={"content-type": "application/json", **SAFE})
