"""Clients of the SQL port that have not logged in yet. When there are too many, the oldest is disconnected for the next
one; clients that have sent nothing go first."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any


class _Client:
    def __init__(self, network: str) -> None:
        self.network, self.is_silent = network, True


class PendingLogins:
    """Each is a task of one event loop; the oldest comes first."""

    def __init__(self) -> None:
        self._clients: dict[asyncio.Task[Any], _Client] = {}

    @contextmanager
    def waiting_for(self, network: str) -> Generator[None]:
        """Add the client of this task until the task ends or calls forget()."""
        self._clients[_this_task()] = _Client(network)
        try:
            yield
        finally:
            self.forget()

    def note_heard(self) -> None:
        """Record that the client of this task has sent its first bytes."""
        if client := self._clients.get(_this_task()):
            client.is_silent = False

    def forget(self) -> None:
        """Remove the client of this task: it has sent everything."""
        self._clients.pop(_this_task(), None)

    async def end_oldest(self, network: str | None = None) -> bool:
        """Disconnect the oldest client, of this network or of any. Return whether there was one."""
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
