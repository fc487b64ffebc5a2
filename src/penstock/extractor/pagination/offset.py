"""Offset pagination: `?limit=100&offset=0`, then 100, 200, … until a page comes back short."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from penstock.extractor.errors import WrongParam
from penstock.extractor.http import Page, Request
from penstock.extractor.pagination.method import Method, Step


class Offset(Method, frozen=True, tag="offset"):
    limit: Annotated[int, Meta(ge=1)]
    limit_param: Annotated[str, Meta(min_length=1)] = "limit"
    offset_param: Annotated[str, Meta(min_length=1)] = "offset"
    first_page_params: bool = True
    offset_from_job: bool = False

    stopped = "Offset limit reached, stopping scrolling."

    def first(self, job: Request) -> Step:
        start = _number(job, self.offset_param, default=0, least=0) if self.offset_from_job else 0
        self._size(job)  # a wrong size of the job's own is found before anything is sent
        return self._step(job, start) if self.first_page_params else Step(job, start)

    def after(self, job: Request, position: int, page: Page) -> Step | None:
        return self.ahead(job, position) if len(page.records) >= self._size(job) else None

    def ahead(self, job: Request, position: int) -> Step:
        return self._step(job, position + self._size(job))

    def _size(self, job: Request) -> int:
        return _number(job, self.limit_param, default=self.limit, least=1)  # the job's own limit always wins

    def _step(self, job: Request, position: int) -> Step:
        paging = {self.limit_param: self._size(job), self.offset_param: position}
        return Step(job.with_params(paging), position)


def _number(job: Request, name: str, default: int, least: int) -> int:
    """A job parameter as a whole number; one that is empty counts as not given."""
    value: Any = job.params.get(name)
    if value in (None, "", "0", 0, [], {}):
        return default
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = least - 1
    if number < least:
        raise WrongParam(name, f"a whole number of at least {least}", value)
    return number
