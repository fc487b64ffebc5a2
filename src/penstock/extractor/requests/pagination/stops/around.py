"""A method that wraps another one: it counts pages or records, and may stop before the inner method is called."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Method, NextPath, OnePage, Step, Stop


class Around(Method, frozen=True, kw_only=True):
    """Its position is a pair: what it has counted, and the position of the inner method."""

    inner: Method = OnePage()

    def around(self, inner: Method) -> Method:
        return replace(self, inner=inner)

    @property
    def moving(self) -> str:
        return self.inner.moving

    @property
    def next_path(self) -> NextPath | None:
        return self.inner.next_path

    def suspect(self, job: Request, last: int) -> str:
        return self.inner.suspect(job, last)

    def caution(self, job: Request) -> str:
        return self.inner.caution(job)

    def first(self, job: Request) -> Step:
        step = self.inner.first(job)
        return Step(step.request, [None, step.position])

    def after(self, job: Request, position: list[Any], page: Page) -> Step | Stop:
        counted = self.count(position[0], page)
        if isinstance(counted, Stop):
            return counted
        step = self.inner.after(job, position[1], page)
        return step if isinstance(step, Stop) else Step(step.request, [counted, step.position])

    def ahead(self, job: Request, position: list[Any]) -> Step | None:
        """Returns the step without counts, which depend on the pages."""
        step = self.inner.ahead(job, position[1])
        return Step(step.request, [None, step.position]) if step else None

    def count(self, counted: Any, page: Page) -> Any:
        """Returns the counts after a page, as plain data, or Stop; `counted` is None for the first page."""
        raise NotImplementedError
