"""A run and how it is disturbed, from a seed: one seed, one configuration, one list of kills.

What matters most takes turns, so that a few dozen seeds have all of it: the pagination method and the concurrency.
The rest is chance.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.e2e.resume.server import MOMENTS, Timestamp
from tests.e2e.resume.site import Site

START = 2_000_000_000
"""When every run begins, by its own clock."""
LATER = 1000
"""By how much the clock of each attempt is ahead of the one before."""
OFFSET = {"method": "offset", "limit": 4}
CURSOR = {"method": "cursor", "idKey": "id", "param": "since"}
METHODS: dict[str, dict[str, Any]] = {
    "offset": OFFSET,
    "pagenum": {"method": "pagenum", "limit": 4},
    "cursor": CURSOR,
    "response.url": {"method": "response.url", "urlKey": "link"},
    "response.param": {"method": "response.param", "responseParam": "next", "queryParam": "token"},
    "link": {"method": "link"},
    "zendesk": {"method": "zendesk.response.url", "urlKey": "recent"},
    "multiple": {"method": "multiple", "default": "first", "scrollers": {"first": OFFSET, "second": CURSOR}},
}
READS_CSV = ("offset", "pagenum", "cursor", "multiple")
PARALLELISM: tuple[int | str, ...] = (1, 4, "auto")
ITERATIONS = [{"which": "one"}, {"which": "two", "outputBucket": "second"}, {"which": "three"}]
NOW = {"function": "time"}
TODAY = {"function": "date", "args": ["Y-m-d H:i:s", {"time": "currentStart"}]}
LINES = {
    "type": "table",
    "destination": "lines",
    "parentKey": {"destination": "item"},
    "tableMapping": {"product": "product", "pieces": "pieces"},
}


@dataclass(frozen=True)
class Kill:
    """When an attempt is killed: at a moment of one of its requests, or after a part of the usual time."""

    moment: Timestamp | None
    part: float
    """How far into what is left to do, from 0 to 1."""
    delay: float
    damage: float | None
    """How much of what was written last is lost besides, from 0 to 1; None for nothing."""


@dataclass(frozen=True)
class Scenario:
    seed: int

    @property
    def method(self) -> str:
        return list(METHODS)[self.seed % len(METHODS)]

    @property
    def parallelism(self) -> int | str:
        return PARALLELISM[self.seed // len(METHODS) % len(PARALLELISM)]

    @property
    def at_once(self) -> int:
        """How many requests may be on their way at once."""
        return 16 if self.parallelism == "auto" else int(self.parallelism)

    @cached_property
    def levels(self) -> int:
        return self._luck("levels").choice([0, 1, 2, 2])

    @cached_property
    def is_legacy(self) -> bool:
        return self._luck("legacy").random() < 0.2

    @cached_property
    def has_times(self) -> bool:
        """Columns and parameters that tell when their job began, which is later for jobs that the first attempt did not
        come to."""
        return self._luck("times").random() < 0.4

    @cached_property
    def has_iterations(self) -> bool:
        return self._luck("iterations").random() < 0.3

    @cached_property
    def is_mapped(self) -> bool:
        return self._luck("mapped").random() < 0.4

    @property
    def site(self) -> Site:
        return Site(self.seed, items=self._luck("items").randint(9, 12) if self.levels else 40)

    @property
    def state(self) -> dict[str, Any]:
        return self._luck("state").choice([{}, {"time": {"previousStart": 1_900_000_000}, "mine": 1}])

    @property
    def kills(self) -> list[Kill]:
        luck = self._luck("kills")
        return [_kill(luck) for _ in range(luck.randint(1, 4))]

    def document(self, url: str, parallelism: int | str) -> dict[str, Any]:
        api = {"baseUrl": url, "pagination": METHODS[self.method], "parallelism": parallelism}
        config: dict[str, Any] = {
            "outputBucket": "first",
            "which": "only",
            "userData": {"which": {"attr": "which"}, "begun": TODAY, **({"asked": NOW} if self.has_times else {})},
            "jobs": [self._items(), *self._cells()],
            **({"compatLevel": 1} if self.is_legacy else {}),
            **({"mappings": {"items": self._mapping()}} if self.is_mapped else {}),
        }
        more = {"iterations": ITERATIONS} if self.has_iterations else {}
        return {"parameters": {"api": api, "config": config, **more}}

    def _items(self) -> dict[str, Any]:
        params = {"which": {"attr": "which"}, **({"now": NOW} if self.has_times else {})}
        job = {"endpoint": "items", "dataField": "items", "dataType": "items", "params": params}
        return {**job, "children": [self._orders()]} if self.levels else job

    def _orders(self) -> dict[str, Any]:
        job = _below("items/{item}/orders", "orders", "item", is_timed=self.has_times)
        events = _below("orders/{order}/events", "events", "order", is_timed=False)
        return {**job, "children": [events]} if self.levels > 1 else job

    def _cells(self) -> list[dict[str, Any]]:
        if self.method not in READS_CSV or self._luck("csv").random() < 0.5:
            return []
        scroller = {"scroller": "second"} if self.method == "multiple" else {}
        return [{"endpoint": "items.csv", "dataType": "cells", "responseFormat": "csv", **scroller}]

    def _mapping(self) -> dict[str, Any]:
        asked = {"asked": {"type": "user", "mapping": {"destination": "asked"}}} if self.has_times else {}
        which = {"which": {"type": "user", "mapping": {"destination": "which"}}}
        key = {"id": {"mapping": {"destination": "id", "primaryKey": True}}}
        return {**key, "maker.name": "maker", "lines": LINES, **which, **asked}

    def _luck(self, about: str) -> random.Random:
        """One generator per choice, so that a new choice in this file does not change the others."""
        return random.Random(f"{self.seed} {about}")


def _below(endpoint: str, name: str, placeholder: str, *, is_timed: bool) -> dict[str, Any]:
    return {
        "endpoint": endpoint,
        "dataField": "items",
        "dataType": name,
        "placeholders": {placeholder: "id"},
        "userData": {"which": {"attr": "which"}, **({"asked": NOW} if is_timed else {})},
    }


def _kill(luck: random.Random) -> Kill:
    moments: list[Timestamp | None] = [*MOMENTS, *MOMENTS, None]
    moment = luck.choice(moments)
    damage = luck.random() if luck.random() < 0.25 else None
    return Kill(moment, luck.random(), luck.choice([0, 0, luck.uniform(0, 0.02)]), damage)
