"""Pages of one job that are fetched before their turn, so that no page is waited for while another is read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from penstock.extractor.http import Request

Got = TypeVar("Got")
Ask = Callable[[int, Request], Awaitable[Got]]
"""Gets the response to the request for a page, which is the n-th of its job."""
TURNS = 4
"""So many turns of the loop, and a request is on its way."""


class Ahead(Generic[Got]):
    """What was asked for and not yet taken, by the number of the page."""

    def __init__(self, ask: Ask[Got]) -> None:
        self._ask = ask
        self._asked: dict[int, tuple[Request, asyncio.Task[Got]]] = {}

    def __len__(self) -> int:
        return len(self._asked)

    def start(self, number: int, request: Request) -> None:
        if number not in self._asked:
            self._asked[number] = (request, asyncio.create_task(self._get(number, request)))

    async def take(self, number: int, request: Request) -> Got:
        """The response; asked for now if it was not before, or if something else was. A failure is told only here."""
        asked, task = self._asked.pop(number, (request, None))
        if task is not None and asked != request:
            await _cancel([task])
            task = None
        return await (task or self._ask(number, request))

    async def let_go(self) -> None:
        """Let what was started get on its way, before something else keeps the processor busy."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def drop(self) -> None:
        """Nobody wants the rest; whether it failed is of no interest."""
        tasks = [task for _request, task in self._asked.values()]
        self._asked.clear()
        await _cancel(tasks)

    async def _get(self, number: int, request: Request) -> Got:
        return await self._ask(number, request)


async def _cancel(tasks: list[asyncio.Task[Got]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
