"""Walks through the pages of a job with any pagination method.

If a job has no child jobs, a page is processed while the next one is being fetched. With concurrent requests, pages
whose requests are known in advance are fetched further ahead; they are still read in order, and those after the last
page are dropped.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Protocol

from msgspec.structs import replace

from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.records.trace import Trace
from penstock.extractor.requests.journal import JournalEntry
from penstock.extractor.requests.pagination.method import Method, Step, Stop
from penstock.extractor.requests.parallel import Ahead
from penstock.foundation import clock


class Pages(Protocol):
    """Where pages come from."""

    async def ask(self, number: int, request: Request) -> JournalEntry: ...
    def read(self, stored: JournalEntry) -> Page: ...
    def has(self, number: int) -> bool:
        """Returns whether an interrupted attempt has received the page."""
        ...

    def end(self, number: int, reason: str) -> None:
        """Stores that this page is the last one."""
        ...

    def ended(self, number: int) -> str | None:
        """Returns why this page was the last one in an interrupted attempt; None if it was not."""
        ...


class Repeated(Exception):
    """The API returned the same page again, so that the walk would never end."""


class WalkOptions:
    """How far ahead pages may be fetched: `concurrency()` requests run concurrently; `is_alone` if no child jobs run
    between one page and the next."""

    def __init__(self, concurrency: Callable[[], int] = lambda: 1, *, is_alone: bool = False) -> None:
        self.concurrency, self.is_alone = concurrency, is_alone


class Walk:
    """One walk through the pages of a job. Iterating raises Repeated, without the page, if a response equals the one
    before; afterwards, `reason` is why the walk has ended."""

    def __init__(self, method: Method, job: Request, pages: Pages, options: WalkOptions | None = None) -> None:
        self._method, self._job, self._pages = method, job, pages
        self._options = options or WalkOptions()
        self._ahead: Ahead[JournalEntry] = Ahead(pages.ask)
        self.reason = ""

    async def __aiter__(self) -> AsyncGenerator[tuple[Step, Page]]:
        try:
            async for page in self._read():
                yield page
                del page  # releases the page before the next one is awaited
        finally:
            await self._ahead.drop()

    async def _read(self) -> AsyncGenerator[tuple[Step, Page]]:
        step: Step | Stop = self._method.first(self._job)
        number = 0
        previous: Trace | None = None
        while isinstance(step, Step):
            self._fetch_ahead(number, step)
            page = self._pages.read(await self._ahead.take(number, step.request))
            trace = page.trace
            if trace.repeats(previous):
                raise Repeated
            if self._options.is_alone:
                following = self._after(number, step, page)
                if isinstance(following, Step):
                    self._ahead.start(number + 1, following.request)
                    await self._ahead.let_go()
                yield step, page
            else:
                yield step, page
                # The child jobs of this page have run in the meantime, and their time counts.
                following = self._after(number, step, page)
            step, number, previous = following, number + 1, trace
            del page
        self._pages.end(number - 1, step.reason)
        self.reason = step.reason

    def _after(self, number: int, step: Step, page: Page) -> Step | Stop:
        if (reason := self._pages.ended(number)) is not None:
            return Stop(reason)
        # A page after which an interrupted attempt continued must not be the last one now because of the time.
        received = page.received if self._pages.has(number + 1) else clock.now().timestamp()
        return self._method.after(self._job, step.position, replace(page, received=received))

    def _fetch_ahead(self, number: int, step: Step) -> None:
        """Fetches ahead at most as many pages as were read already: most jobs have few pages, and must not request many
        in vain."""
        following: Step | None = step
        for distance in range(min(self._options.concurrency(), number + 1) if number else 0):
            if following is None:
                return
            self._ahead.start(number + distance, following.request)
            following = self._method.ahead(self._job, following.position)
