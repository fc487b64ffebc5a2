"""How many actions run at a time: of all projects together, and of each, so that one leaves room for the others.

An action that finds no room is refused at once: its client waits for the response, and knows best whether to try again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from penstock.services.sync_actions.errors import AllSlotsTaken, TooManyActions


class Slots:
    """Used by one event loop."""

    def __init__(self) -> None:
        self._running: Counter[int] = Counter()
        """By project."""

    @contextmanager
    def take(self, project_id: int, total: int) -> Generator[None]:
        """Room for one action. A project gets at most half of the total."""
        share = max(total // 2, 1)
        if self._running[project_id] >= share:
            raise TooManyActions(share)
        if self._running.total() >= total:
            raise AllSlotsTaken
        self._running[project_id] += 1
        try:
            yield
        finally:
            self._running[project_id] -= 1
            if not self._running[project_id]:
                del self._running[project_id]
