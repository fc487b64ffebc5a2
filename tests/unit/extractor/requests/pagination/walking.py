"""Walks over pages that are known beforehand, which remember what was asked for and when."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.journal import Entry, JournalEntry
from penstock.extractor.requests.pagination import Method, Step
from penstock.extractor.requests.pagination.walk import Walk, WalkOptions

USERS = Request("users")


class Known:
    """The n-th page of a job is the n-th of these; asking for one beyond them is refused, as an API may do."""

    def __init__(self, pages: Sequence[Page], kept: frozenset[int] = frozenset()) -> None:
        self._pages, self._kept = pages, kept
        self.asked: list[int] = []
        self.requests: dict[int, Request] = {}
        self.answered: list[int] = []
        self.ends: list[tuple[int, str]] = []
        self.known_ends: dict[int, str] = {}
        self.waits: Mapping[int, float] = {}
        """How long the API takes for a page."""

    async def ask(self, number: int, request: Request) -> JournalEntry:
        self.asked.append(number)
        self.requests[number] = request
        await asyncio.sleep(self.waits.get(number, 0.0))
        if number >= len(self._pages):
            raise UserError(f"There is no page {number}.")
        self.answered.append(number)
        entry = Entry(str(number), b"", 200, "OK", [], moment=0, asked=0, received=0)
        return JournalEntry(number, number + 1, entry, self._pages[number].body)

    def read(self, stored: JournalEntry) -> Page:
        return self._pages[stored.at]

    def has(self, number: int) -> bool:
        return number in self._kept

    def end(self, number: int, reason: str) -> None:
        self.ends.append((number, reason))

    def ended(self, number: int) -> str | None:
        return self.known_ends.get(number)


class Walked:
    """A walk that has ended."""

    def __init__(self, method: Method, pages: Known, options: WalkOptions | None = None) -> None:
        self.steps: list[Step] = []
        self.records: list[object] = []
        self.pages = pages
        self._walk = Walk(method, USERS, pages, options)
        asyncio.run(self._collect())

    @property
    def reason(self) -> str:
        return self._walk.reason

    async def _collect(self) -> None:
        async for step, page in self._walk:
            self.steps.append(step)
            self.records += page.records


def numbered(count: int) -> list[Page]:
    """So many pages of one record each, and an empty one."""
    return [*(Page([at], f"[{at}]".encode()) for at in range(count)), Page([], b"[]")]
