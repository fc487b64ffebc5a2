"""Clients of the SQL port that the stack waits for before they have logged in. When there are too many of them, the
oldest makes way for the next: first one that has sent nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any


class _Client:
    def __init__(self, network: str) -> None:
        self.network, self.is_silent = network, True


class UnheardClients:
    """Each is a task of one event loop; the oldest comes first."""

    def __init__(self) -> None:
        self._clients: dict[asyncio.Task[Any], _Client] = {}

    @contextmanager
    def waiting_for(self, network: str) -> Generator[None]:
        """For this task, until it ends or has forgotten itself."""
        self._clients[_this_task()] = _Client(network)
        try:
            yield
        finally:
            self.forget()

    def note_heard(self) -> None:
        """The client of this task has sent its first bytes."""
        if client := self._clients.get(_this_task()):
            client.is_silent = False

    def forget(self) -> None:
        """The client of this task has sent everything."""
        self._clients.pop(_this_task(), None)

    async def end_oldest(self, network: str | None = None) -> bool:
        """Whether there was one, of this network or of any."""
        tasks = [task for task, client in self._clients.items() if network in (None, client.network)]
        if not tasks:
            return False
        ended = next((task for task in tasks if self._clients[task].is_silent), tasks[0])
        del self._clients[ended]
        ended.cancel()
        await asyncio.wait([ended])
        return True


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task
    return task
