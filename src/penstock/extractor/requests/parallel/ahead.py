"""Fetches pages of one job ahead, so that requests are in progress while a page is read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from penstock.extractor.base.http import Request

Got = TypeVar("Got")
Ask = Callable[[int, Request], Awaitable[Got]]
"""Fetches the response to the request for the n-th page of a job."""
TURNS = 4
"""After so many iterations of the event loop, a request has been sent."""


class Ahead(Generic[Got]):
    """Requests that were started and whose responses were not taken yet, by the number of the page."""

    def __init__(self, ask: Ask[Got]) -> None:
        self._ask = ask
        self._sent: dict[int, tuple[Request, asyncio.Task[Got]]] = {}

    def __len__(self) -> int:
        return len(self._sent)

    def start(self, number: int, request: Request) -> None:
        if number not in self._sent:
            self._sent[number] = (request, asyncio.create_task(self._get(number, request)))

    async def take(self, number: int, request: Request) -> Got:
        """Returns the response, which is requested now unless the same request was started before. A failure is raised
        only here."""
        sent, task = self._sent.pop(number, (request, None))
        if task is not None and sent != request:
            await _cancel([task])
            task = None
        return await (task or self._ask(number, request))

    async def let_go(self) -> None:
        """Lets started requests be sent before the caller blocks the event loop."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def drop(self) -> None:
        """Cancels all requests that were not taken, and ignores their failures."""
        tasks = [task for _request, task in self._sent.values()]
        self._sent.clear()
        await _cancel(tasks)

    async def _get(self, number: int, request: Request) -> Got:
        return await self._ask(number, request)


async def _cancel(tasks: list[asyncio.Task[Got]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
