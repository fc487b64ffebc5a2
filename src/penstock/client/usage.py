"""The credits of a project, and what it used: by day, component and configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from penstock.client.transport import Transport

PAGE = 1000


class Balance(msgspec.Struct, frozen=True):
    consumed: float
    remaining: float


class Used(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Sums of what was used; empty where they are not by this."""

    day: str = ""
    component: str = ""
    configuration: str = ""
    kind: str = ""
    entries: int = 0
    seconds: float = 0
    free_seconds: float = 0
    bytes: int = 0
    rows: int = 0
    credits: float = 0


class _Page(msgspec.Struct, frozen=True):
    rows: list[Used]


class Billing:
    """`url` is the address of the service."""

    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = url, transport

    def read_balance(self) -> Balance:
        return self._transport.get(f"{self._url}/credits", Balance)

    def read_usage(self, by: Sequence[str] = ("day",), *, first: str = "", last: str = "") -> Iterator[Used]:
        """All rows, page by page. The days are in UTC: `2026-11-17`; without them, the last 30 days."""
        params: dict[str, Any] = {"groupBy": ",".join(by), "limit": PAGE}
        params |= {name: day for name, day in (("from", first), ("to", last)) if day}
        offset, is_full = 0, True
        while is_full:
            page = self._transport.get(f"{self._url}/usage", _Page, {**params, "offset": offset}).rows
            yield from page
            offset, is_full = offset + len(page), len(page) == PAGE
