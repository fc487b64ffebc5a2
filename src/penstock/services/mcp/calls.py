"""Calls of tools run in threads of their own, a few of each project: a call may wait for a job for most of a minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from anyio import CapacityLimiter, to_thread

from penstock.services.mcp.errors import TooManyCalls

THREADS, OF_A_PROJECT = 64, 8
LARGE_BYTES = 100_000


class Calls:
    """Used by one event loop."""

    def __init__(self) -> None:
        self._threads = CapacityLimiter(THREADS)
        self._running: Counter[int] = Counter()
        """By project."""
        self._large = set[int]()
        """Projects with a large message."""

    @contextmanager
    def parsing(self, project_id: int, size: int) -> Generator[None]:
        """Handle a message, of which the large ones take the event loop for a while: one at a time of each project."""
        if size <= LARGE_BYTES:
            yield
            return
        if project_id in self._large:
            raise TooManyCalls(1, "large message")
        self._large.add(project_id)
        try:
            yield
        finally:
            self._large.discard(project_id)

    async def run(self, project_id: int, work: Callable[[], Any]) -> Any:
        if self._running[project_id] >= OF_A_PROJECT:
            raise TooManyCalls(OF_A_PROJECT)
        self._running[project_id] += 1
        try:
            return await to_thread.run_sync(work, limiter=self._threads, abandon_on_cancel=True)
        finally:
            self._running[project_id] -= 1
            if not self._running[project_id]:
                del self._running[project_id]
