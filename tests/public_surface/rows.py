"""The public rows of all services, their limits, and the table that shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from penstock.app import list_services
from penstock.foundation.callers import Right
from penstock.web.routing import Route
from tests.docs.pages import ROOT

COSTS = Path(__file__).parents[1] / "data" / "public_costs.json"
PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "| row | CPU ms | limit |\n|---|---|---|\n", "\n\n"
KEPT, SIGNED, QUEUED, LOOP = "kept", "signed", "queue", "turns"
QUEUED_BY_HANDLER = frozenset({"encryption POST /encrypt", "portal GET /"})
"""Rows whose handlers are async, and always do their work in the queue."""
MAX_MILLISECONDS = 5.0
"""Of a row that has neither a cache nor a bounded queue."""


class Row(NamedTuple):
    service_id: str
    route: Route

    @property
    def name(self) -> str:
        return f"{self.service_id} {self.route.method} {self.route.path}"

    @property
    def limit(self) -> str:
        if self.route.document:
            return KEPT
        if self.route.is_signed:
            return SIGNED
        is_queued = not self.route.is_async or self.name in QUEUED_BY_HANDLER
        return QUEUED if is_queued else LOOP


def list_public() -> list[Row]:
    return [
        Row(service.id, route) for service in list_services() for route in service.routes if route.needs is Right.PUBLIC
    ]


def read_costs() -> dict[str, float]:
    return json.loads(COSTS.read_text())


def find_unbounded(rows: list[Row], costs: Mapping[str, float]) -> list[str]:
    """Rows that cost too much for what limits them."""
    return [row.name for row in rows if row.limit == LOOP and costs[row.name] > MAX_MILLISECONDS]


def make_table(rows: list[Row], costs: Mapping[str, float]) -> str:
    return "\n".join(f"| `{row.name}` | {costs[row.name]:.1f} | {row.limit} |" for row in rows)


def read_table() -> str:
    return PAGE.read_text().partition(BEGIN)[2].partition(END)[0]


def write_table(table: str) -> None:
    before, begin, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + begin + table + END + rest.partition(END)[2])
