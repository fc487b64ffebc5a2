"""Sync actions over HTTP.

An action holds its request for up to half a minute. It is waited for in a thread of its own: neither the event loop nor
the threads of other requests are held, however many actions run.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.sync_actions import operations
from penstock.services.sync_actions.models import Actions, ActionsQuery, NewAction, NewResolution, to_document
from penstock.services.sync_actions.running import ActionRun, ClientLeft
from penstock.services.sync_actions.slots import Slots
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

THREADS = 1000
"""More than there are slots: the slots are the limit."""


def routes() -> list[Route]:
    actions = ActionRoutes()
    return [
        post("/actions", actions.run_action, needs=Right.CREATE_JOBS, status=201, title="Run an action of a component"),
        get("/actions", list_actions, needs=Right.TOKEN, title="List actions of a component"),
        post(
            "/resolve-config-variables",
            resolve_config_variables,
            needs=Right.TOKEN,
            only_reads=True,
            is_confidential=True,
            title="Resolve variables of a configuration",
        ),
        health_check(description_of("sync-actions")),
        description("sync-actions"),
    ]


class ActionRoutes:
    """The actions that run in one server."""

    def __init__(self) -> None:
        self._slots, self._threads = Slots(), CapacityLimiter(THREADS)
        self._running: set[asyncio.Task[bytes]] = set()
        """A task without a reference may be collected before it ends."""

    async def run_action(self, request: Request, body: NewAction, http: HttpRequest) -> Response:
        """Run an action of a component; the response is its result."""
        run = ActionRun(request.stack, request.caller, body)
        async with _ended_with(http, run.stop):
            content = await self._run(run, request.caller.project_id, request.stack.settings.sync_actions)
        return Response(content, 201, headers={"content-type": "application/json", "x-frame-options": "DENY"})

    async def _run(self, run: ActionRun, project_id: int, total: int) -> bytes:
        running = asyncio.create_task(self._run_in_slot(run, project_id, total))
        self._running.add(running)
        running.add_done_callback(self._forget)
        try:
            return await asyncio.shield(running)
        except ClientLeft as error:
            raise ClientDisconnect from error
        except asyncio.CancelledError:
            run.stop()
            raise

    async def _run_in_slot(self, run: ActionRun, project_id: int, total: int) -> bytes:
        """A task of its own: the slot is taken until the process has ended, also if the request was cancelled."""
        with self._slots.take(project_id, total):
            return await to_thread.run_sync(run.run, limiter=self._threads, abandon_on_cancel=True)

    def _forget(self, running: asyncio.Task[bytes]) -> None:
        self._running.discard(running)
        if not running.cancelled():
            running.exception()  # marks it as seen: the request may be gone


def list_actions(request: Request, query: ActionsQuery) -> Actions:
    """The actions of a component."""
    with request.reading() as tx:
        return Actions(operations.list_actions(tx, query.component_id))


def resolve_config_variables(request: Request, body: NewResolution) -> dict[str, Any]:
    """A configuration with shared code and variables in it; secrets stay encrypted."""
    return operations.resolve_variables(request.stack, request.caller, to_document(body.config_data), body.branch_id)


@asynccontextmanager
async def _ended_with(http: HttpRequest, stop: Callable[[], None]) -> AsyncGenerator[None]:
    """Call `stop` if the client disconnects before the block ends."""

    async def watch() -> None:
        while (await http.receive())["type"] != "http.disconnect":
            pass
        stop()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
