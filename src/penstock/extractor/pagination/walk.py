"""The one function that drives every pagination method from step to step."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

from penstock.extractor.http import Page, Request, Trace
from penstock.extractor.pagination.method import Method, Step

Fetch = Callable[[Request], Awaitable[Page]]


class Repeated(Exception):
    """The API answered with the same page again: going on would never end."""


async def read_pages(
    method: Method, job: Request, fetch: Fetch, resume: Step | None = None
) -> AsyncIterator[tuple[Step, Page]]:
    """Raises Repeated, without yielding the page, when a response equals the one before."""
    step: Step | None = resume or method.first(job)
    previous: Trace | None = None
    while step:
        page = await fetch(step.request)
        if page.repeats(previous):
            raise Repeated
        yield step, page
        previous = page.trace
        step = method.after(job, step.position, page)
