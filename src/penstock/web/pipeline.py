"""One request, from the matched row to the response: who asks, may they, what do they say, what do we reply.

Who asks is settled before the body is read. Handlers are plain functions and run in the thread pool.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.ballast import DiskFull
from penstock.foundation.callers import Caller, Right
from penstock.foundation.errors import AppError
from penstock.foundation.jobs.waiting import Waiting
from penstock.foundation.stack import Stack
from penstock.foundation.versioned_cache import VersionedCache
from penstock.web.bodies import BadRequest, parse_body, parse_query, read_body, to_model
from penstock.web.cut_responses import CutResponses, WatchedResponse
from penstock.web.errors import Shape, to_response
from penstock.web.idempotency import HEADER as KEY_HEADER
from penstock.web.idempotency import IdempotentRequest
from penstock.web.identification import Identification, hash_token, read_token, with_origin
from penstock.web.listing import Listing
from penstock.web.requests import Later, Request, Text, Wait
from penstock.web.routing import Route

SAFE = {"x-frame-options": "DENY"}

T = TypeVar("T")


class Pipeline(msgspec.Struct, frozen=True):
    """What every endpoint of a service needs."""

    stack: Stack
    services: tuple[Listing, ...]
    identification: Identification
    body_limit: int
    errors: Shape
    lake_threads: CapacityLimiter
    write_threads: CapacityLimiter
    waiting: Waiting
    responses: VersionedCache[bytes]
    """Of rows that are remembered."""
    cut_responses: CutResponses
    """Of rows that are repeatable."""

    def endpoint(self, row: Route) -> Callable[[HttpRequest], Awaitable[Response]]:
        async def outcome(http: HttpRequest) -> Response:
            # Whoever was here since a token last changed is known without a thread; some are even answered without one.
            version = self.stack.database.version() if row.is_remembered else None
            caller = self.identification.recall(row, http)
            known = self.responses.recall(version, _key(http)) if caller and row.is_remembered else None
            if known is not None:
                return _to_json(known, row.status)
            waits: list[Wait] = []
            response = await self._finish(await self._reach(row, http, caller, version, waits, limiter))
            for wait in waits:
                await self.waiting.hold(wait)
            return response

        limiter = self._find_limiter(row)
        return outcome

    def _find_limiter(self, row: Route) -> CapacityLimiter | None:
        """Reading tables may take long, and writers wait for each other: both have their own threads, so that nothing
        else waits for them. None is the default pool."""
        if row.uses_lake:
            return self.lake_threads
        return None if row.method == "GET" else self.write_threads

    async def _reach(
        self,
        row: Route,
        http: HttpRequest,
        caller: Caller | None,
        version: int | None,
        waits: list[Wait],
        limiter: CapacityLimiter | None,
    ) -> Response | Later:
        """The handler's response."""
        if not row.body and not row.streams:
            return await to_thread.run_sync(self._respond_in_thread, row, http, caller, version, waits, limiter=limiter)
        if not caller:
            caller = await to_thread.run_sync(self.identification.identify, row, http)
        if row.streams:
            return await row.handler(self._request(row, http, caller, b""), http)
        content = await read_body(http, self.body_limit)
        if row.is_repeatable and KEY_HEADER not in http.headers:
            return await self._respond_watched(row, http, caller, content, waits, limiter)
        return await to_thread.run_sync(self._respond, row, http, caller, content, waits, limiter=limiter)

    async def _respond_watched(
        self,
        row: Route,
        http: HttpRequest,
        caller: Caller,
        content: bytes,
        waits: list[Wait],
        limiter: CapacityLimiter | None,
    ) -> Response:
        """For a client that sends no key, and may send the request again if the response does not arrive."""
        flight = self.cut_responses.begin(caller, _said(http, content), http.receive)

        def respond() -> Response | Later:
            key, is_new = self.cut_responses.find_key(flight)
            return self._respond_once(row, http, caller, content, waits, key, is_new=is_new)

        try:
            await self.cut_responses.settle(flight)
            response = await self._finish(await to_thread.run_sync(respond, limiter=limiter))
        except BaseException:
            self.cut_responses.end(flight, is_given=False)
            raise
        return WatchedResponse(response, flight, self.cut_responses)

    async def _finish(self, outcome: Response | Later) -> Response:
        if isinstance(outcome, Response):
            return outcome
        await self.waiting.hold(outcome.wait)
        return await to_thread.run_sync(outcome.make)

    def _respond_in_thread(
        self, row: Route, http: HttpRequest, caller: Caller | None, version: int | None, waits: list[Wait]
    ) -> Response | Later:
        caller = caller or self.identification.identify(row, http)
        response = self._respond(row, http, caller, b"", waits)
        if row.is_remembered and isinstance(response, Response):
            self.responses.keep(version, _key(http), bytes(response.body))
        return response

    def _respond(
        self, row: Route, http: HttpRequest, caller: Caller, content: bytes, waits: list[Wait]
    ) -> Response | Later:
        key = http.headers.get(KEY_HEADER)
        if key is None or row.method != "POST" or row.needs is Right.PUBLIC:
            request = msgspec.structs.replace(self._request(row, http, caller, content), waits=waits)
            return _prepare(row, row.handler(request))
        return self._respond_once(row, http, caller, content, waits, key)

    def _respond_once(
        self,
        row: Route,
        http: HttpRequest,
        caller: Caller,
        content: bytes,
        waits: list[Wait],
        key: str,
        *,
        is_new: bool = False,
    ) -> Response | Later:
        request = msgspec.structs.replace(self._request(row, http, caller, content), waits=waits)
        with IdempotentRequest(self.stack, caller, key, _said(http, content), is_new=is_new) as once:
            if once.known:
                return _to_json(once.known.content or b"", once.known.status or row.status)
            outcome = self._do(once, lambda: _prepare(row, row.handler(msgspec.structs.replace(request, once=once))))
            if isinstance(outcome, Later):
                make = outcome.make
                return Later(outcome.wait, lambda: _keep(once, self._do(once, make)))
            return _keep(once, outcome)

    def _do(self, once: IdempotentRequest, work: Callable[[], T]) -> T | Response:
        """What went wrong after something was committed is the response, now and when it is asked for again."""
        try:
            return work()
        except AppError as error:
            if not once.is_released:
                raise
            return to_response(error, self.errors, self.stack.paths.hide)

    def _request(self, row: Route, http: HttpRequest, caller: Caller, content: bytes) -> Request:
        if row.needs_room and self.stack.ballast.is_read_only():
            raise DiskFull
        query, kind = http.scope["query_string"].decode("latin-1"), http.headers.get("content-type", "")
        return Request(
            stack=self.stack,
            services=self.services,
            addresses=http.scope["penstock.addresses"],
            caller=with_origin(caller, http),
            token=read_token(http),
            content_type=kind,
            path=http.path_params,
            query=_read_query(row, query),
            body=_read_body(row, content, kind),
        )


def _read_query(row: Route, text: str) -> Any:
    with _refusing(row.refuses_query_with):
        return to_model(parse_query(text), row.query) if row.query else None


def _read_body(row: Route, content: bytes, kind: str) -> Any:
    with _refusing(row.refuses_body_with):
        return to_model(parse_body(content, kind), row.body) if row.body else None


@contextmanager
def _refusing(status: int) -> Generator[None]:
    try:
        yield
    except BadRequest as error:
        error.status = status
        raise


def _said(http: HttpRequest, content: bytes) -> bytes:
    return b"\n".join([http.url.path.encode(), http.scope["query_string"], content])


def _key(http: HttpRequest) -> tuple[object, ...]:
    return hash_token(read_token(http)), http.scope["path"], http.scope["penstock.addresses"]


def _keep(once: IdempotentRequest, response: Response) -> Response:
    once.keep(response.status_code, bytes(response.body))
    return response


def _prepare(row: Route, outcome: Any) -> Response | Later:
    if not isinstance(outcome, Later):
        return _to_response(row, outcome)
    make = outcome.make
    return Later(outcome.wait, lambda: _to_response(row, make()))


def _to_response(row: Route, outcome: Any) -> Response:
    if outcome is None:
        return Response(status_code=204)
    if isinstance(outcome, Text):
        return Response(outcome.content, row.status, headers={"content-type": outcome.media_type, **SAFE})
    return _to_json(msgspec.json.encode(outcome), row.status)


def _to_json(content: bytes, status: int) -> Response:
    # Exactly this content type: one official client compares the whole header.
    return Response(content, status, headers={"content-type": "application/json", **SAFE})
