"""One request, from the matched route to the response.

The caller is identified before the body is read, then the arguments of the handler are read and the handler is called:
in a thread, or in the event loop if it is async.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import AnyCaller, Right
from penstock.foundation.database.versioned_cache import VersionedCache
from penstock.foundation.errors import AppError, Unauthorized
from penstock.foundation.files.ballast import DiskFull
from penstock.foundation.jobs.waiting import Waiting
from penstock.foundation.stack import Stack
from penstock.web.addresses import Addresses
from penstock.web.arguments import read_arguments
from penstock.web.auth.identification import Identification, hash_credential, to_token, with_origin
from penstock.web.bodies import read_body
from penstock.web.documents import Documents, Requested
from penstock.web.errors import Shape, to_response
from penstock.web.idempotency import HEADER as KEY_HEADER
from penstock.web.idempotency import IdempotentRequest, StoredResponse
from penstock.web.listing import Listing
from penstock.web.request_threads import WorkQueues, current_queue, use_queue
from penstock.web.requests import Accepted, Later, Request, Text, Wait
from penstock.web.routing import Document, Route
from penstock.web.sites import CrossSiteRequest, Sites

SAFE = {"x-frame-options": "DENY"}

T = TypeVar("T")


class Call(msgspec.Struct):
    """One request on its way through the pipeline."""

    route: Route
    http: HttpRequest
    credential: str
    caller: AnyCaller | None
    version: int | None
    """Of the database, before anything was read from it; None unless the response is cached."""
    content: bytes = b""
    waits: list[Wait] = []

    @property
    def identity(self) -> bytes:
        """Equal for equal requests."""
        return b"\n".join([self.http.url.path.encode(), self.http.scope["query_string"], self.content])

    @property
    def cache_key(self) -> tuple[object, ...]:
        scope = self.http.scope
        return hash_credential(self.credential), scope["path"], scope["penstock.addresses"]


Outcome = Response | Later[Response]


class Pipeline(msgspec.Struct, frozen=True):
    """What every endpoint of a service needs."""

    stack: Stack
    services: tuple[Listing, ...]
    identification: Identification
    body_limit: int
    sites: Sites
    errors: Shape
    queues: WorkQueues
    waiting: Waiting
    responses: VersionedCache[bytes]
    """Of routes that are cached."""
    documents: Documents

    def endpoint(self, route: Route) -> Callable[[HttpRequest], Awaitable[Response]]:
        async def respond(http: HttpRequest) -> Response:
            version = self.stack.database.version() if route.is_cached else None
            credential = self.identification.find_credential(route, http)
            forwarded_for = http.headers.getlist("x-forwarded-for")
            self.queues.rates.check(_address_of(http), to_token(credential), forwarded_for)
            await self._check_site(route, http, credential)
            call = Call(route, http, credential, self.identification.get(route, http), version)
            if route.is_cached and call.caller and (stored := self.responses.get(version, call.cache_key)):
                return _to_json(stored, route.status)
            # The same row may need a token below another path.
            if route.document and route.needs is Right.PUBLIC:
                return await self._send_document(call, route.document)
            use_queue(self.queues.of_nobody(route, http, credential))
            await self._identify(call)
            assert call.caller
            with self.queues.counting_body(route, http, call.caller):
                response = await self._finish(call, await self._dispatch(call))
                await self._wait(call)
            return response

        return respond

    async def _check_site(self, route: Route, http: HttpRequest, credential: str) -> None:
        """Raises for a page of another site, on a row that needs no token. A valid one is looked up all the same."""
        if route.needs is not Right.PUBLIC or not self.sites.refuses(route, http):
            return
        refusal = CrossSiteRequest(http.headers.get("origin"))
        if not credential:
            raise refusal
        try:
            await self.queues.identifying(route, http, credential).run(self.identification.identify, route, http)
        except Unauthorized as error:
            raise refusal from error

    async def _identify(self, call: Call) -> None:
        if not call.caller:
            queue = self.queues.identifying(call.route, call.http, call.credential)
            call.caller = await queue.run(self.identification.authenticate, call.route, call.http)

    async def _dispatch(self, call: Call) -> Outcome:
        """Run the handler, in the event loop or in a thread."""
        route, http = call.route, call.http
        if route.body:
            call.content = await read_body(http, self.body_limit)
        if route.is_async:
            request = self._request(call)
            return _to_outcome(route, await route.handler(request, **read_arguments(route, http, call.content)))
        return await self._run(call, self._respond, call)

    async def _run(self, call: Call, work: Callable[..., T], *args: Any) -> T:
        """Call the handler in a thread for requests of its kind."""
        assert call.caller
        queue = current_queue() or self.queues.of_caller(call.route, call.http, call.caller, len(call.content))
        return await queue.run(work, *args)

    async def _send_document(self, call: Call, document: Document) -> Response:
        route, http = call.route, call.http
        arguments = read_arguments(route, http, b"")

        def make(addresses: Addresses) -> bytes:
            request = msgspec.structs.replace(self._request(call), addresses=addresses)
            return msgspec.json.encode(route.handler(request, **arguments))

        requested = Requested(
            name=(route.path, *arguments.items()),
            version=self.stack.database.document_version() if document is Document.DATABASE else 0,
            addresses=http.scope["penstock.addresses"],
            takes_gzip="gzip" in http.headers.get("accept-encoding", ""),
        )
        return await self.documents.get(requested, self.queues.documents(http), make)

    async def _finish(self, call: Call, outcome: Outcome) -> Response:
        if isinstance(outcome, Response):
            return outcome
        await self.waiting.wait(outcome.wait)
        return await self._run(call, outcome.make)

    async def _wait(self, call: Call) -> None:
        """Wait for what the handler named, such as a worker that claims the job, before the response is sent."""
        while call.waits:
            await self.waiting.wait(call.waits.pop(0))

    def _respond(self, call: Call) -> Outcome:
        route, key = call.route, call.http.headers.get(KEY_HEADER)
        if key is not None and route.method == "POST" and route.needs is not Right.PUBLIC:
            return self._respond_once(call, key)
        outcome = _run(route, self._request(call), read_arguments(route, call.http, call.content))
        if route.is_cached and isinstance(outcome, Response):
            self.responses.put(call.version, call.cache_key, bytes(outcome.body))
        return outcome

    def _respond_once(self, call: Call, key: str) -> Outcome:
        route, request = call.route, self._request(call)
        arguments = read_arguments(route, call.http, call.content)
        with IdempotentRequest(self.stack, request.identity, key, call.identity) as once:
            if once.known:
                return _replay(once.known)
            request = msgspec.structs.replace(request, once=once)
            outcome = self._do(once, lambda: _run(route, request, arguments))
            if isinstance(outcome, Later):
                make = outcome.make
                return Later(outcome.wait, lambda: _keep(once, self._do(once, make)))
            return _keep(once, outcome)

    def _do(self, once: IdempotentRequest, work: Callable[[], T]) -> T | Response:
        """An error after something was committed is the response, now and when the request is sent again."""
        try:
            return work()
        except AppError as error:
            if not once.is_released:
                raise
            return to_response(error, self.errors, self.stack.paths.hide)

    def _request(self, call: Call) -> Request:
        if call.route.needs_room and self.stack.ballast.is_read_only():
            raise DiskFull
        assert call.caller
        return Request(
            stack=self.stack,
            services=self.services,
            addresses=call.http.scope["penstock.addresses"],
            identity=with_origin(call.caller, call.http, self.queues.client_of(call.http)),
            token=to_token(call.credential),
            content_type=call.http.headers.get("content-type", ""),
            if_match=call.http.headers.get("if-match", "*"),
            waits=call.waits,
        )


def _address_of(http: HttpRequest) -> str:
    return http.client.host if http.client else ""


def _run(route: Route, request: Request, arguments: dict[str, Any]) -> Outcome:
    return _to_outcome(route, route.handler(request, **arguments))


def _to_outcome(route: Route, outcome: Later[Any] | Any) -> Outcome:
    if not isinstance(outcome, Later):
        return _to_response(route, outcome)
    make = outcome.make
    return Later(outcome.wait, lambda: _to_response(route, make()))


def _keep(once: IdempotentRequest, response: Response) -> Response:
    once.keep(response.status_code, response.headers.get("content-type"), bytes(response.body))
    return response


def _replay(stored: StoredResponse) -> Response:
    if not stored.media_type:
        return Response(status_code=stored.status or 204)
    return Response(stored.content, stored.status or 200, headers={"content-type": stored.media_type, **SAFE})


def _to_response(route: Route, outcome: Any) -> Response:
    if outcome is None:
        return Response(status_code=204)
    if isinstance(outcome, Response):
        return outcome
    if isinstance(outcome, Text):
        return Response(outcome.content, route.status, headers={"content-type": outcome.media_type, **SAFE})
    if isinstance(outcome, Accepted):
        return _to_json(msgspec.json.encode(cast(Accepted[Any], outcome).content), 202)
    return _to_json(msgspec.json.encode(outcome), route.status)


def _to_json(content: bytes, status: int) -> Response:
    # Exactly this content type: one official client compares the whole header.
    return Response(content, status, headers={"content-type": "application/json", **SAFE})
