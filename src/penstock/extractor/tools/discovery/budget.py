"""The most requests that discovery may send: a gate that counts, and refuses to send more."""

from __future__ import annotations

from typing import Any

from penstock.foundation.outbound import Gate, Policy, Response

DEFAULT_REQUESTS = 20
RESERVED = 3
"""For the proof."""


class BudgetSpent(Exception):
    """No request is left."""


class Budget:
    def __init__(self, most: int = DEFAULT_REQUESTS) -> None:
        self._most, self._reserved, self.used = most, min(RESERVED, most // 2), 0

    @property
    def remaining(self) -> int:
        """Returns how many requests are left, without those reserved for the proof."""
        return max(self._most - self._reserved - self.used, 0)

    def release(self) -> None:
        """Makes those reserved for the proof available."""
        self._reserved = 0

    def spend(self) -> None:
        if not self.remaining:
            raise BudgetSpent
        self.used += 1


class CountingGate(Gate):
    """Every attempt counts, also redirects and retries."""

    def __init__(self, budget: Budget, policy: Policy, **options: Any) -> None:
        super().__init__(policy, **options)
        self._budget = budget

    async def send(self, method: str, url: str, **options: Any) -> Response:
        self._budget.spend()
        return await super().send(method, url, **options)
