"""The one function that drives every pagination method from step to step."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

from msgspec.structs import replace

from penstock.extractor.http import Page, Request, Trace
from penstock.extractor.pagination.method import Method, Step, Stop
from penstock.foundation import clock

Fetch = Callable[[Request], Awaitable[Page]]


class Repeated(Exception):
    """The API answered with the same page again: going on would never end."""


async def read_pages(
    method: Method, job: Request, fetch: Fetch, tell: Callable[[str], None], resume: Step | None = None
) -> AsyncIterator[tuple[Step, Page]]:
    """Raises Repeated, without yielding the page, when a response equals the one before."""
    step: Step | Stop = resume or method.first(job)
    previous: Trace | None = None
    while isinstance(step, Step):
        page = await fetch(step.request)
        if page.repeats(previous):
            raise Repeated
        yield step, page
        previous = page.trace
        # The jobs below this page have run meanwhile, and their time counts.
        step = method.after(job, step.position, replace(page, received=clock.now().timestamp()))
    if step.reason:
        tell(step.reason)
