"""Page-number pagination: `?page=1`, then 2, 3, … until a page is empty, or short when its size is known."""

from __future__ import annotations

from typing import Annotated, Any, Self

from penstock.extractor.base.http import Request
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import FirstPageParams, LimitParam, Method, ParamsWithin, Step, Stop
from penstock.extractor.requests.pagination.own_params import own_limit, suspect_size


class PageNumber(Method, frozen=True, tag="pagenum"):
    page_param: Annotated[str, Setting("The parameter that carries the page number.")] = "page"
    limit: Annotated[int | None, Setting("The page size.")] = None
    limit_param: LimitParam = "limit"
    first_page: Annotated[int, Setting("The number of the first page.")] = 1
    first_page_params: FirstPageParams = True
    params_within: ParamsWithin = ""

    reads_response = False

    @classmethod
    def read(cls, section: Section) -> Self:
        return cls.read_with(section, limit=_limit(section))

    @property
    def moving(self) -> str:
        return f"the parameter `{self.page_param}`. Check `pagination.pageParam`"

    def suspect(self, job: Request, last: int) -> str:
        advice = "Check `pagination.pageParam` and `pagination.firstPage`."
        return suspect_size(self._size(job), last, self.limit_param) or advice

    def first(self, job: Request) -> Step:
        self._size(job)  # raises for a wrong page size of the job before anything is sent
        return self._step(job, self.first_page) if self.first_page_params else Step(job, self.first_page)

    def after(self, job: Request, position: int, page: Page) -> Step | Stop:
        size = self._size(job)
        if size is None and not page.records:
            return Stop("Pagination stopped, response is empty.")
        if size is not None and len(page.records) < size:
            return Stop("Pagination stopped, response is smaller than limit.")
        return self.ahead(job, position)

    def ahead(self, job: Request, position: int) -> Step:
        return self._step(job, position + 1)

    def _size(self, job: Request) -> int | None:
        # The limit of the job takes precedence.
        return own_limit(job, self.limit_param, self.params_within) or self.limit

    def _step(self, job: Request, position: int) -> Step:
        paging: dict[str, Any] = {self.page_param: position}
        size = self._size(job)
        if size is not None:
            paging[self.limit_param] = size
        return Step(job.with_params(paging, self.params_within), position)


def _limit(section: Section) -> int | None:
    limit = section.integer("limit") if section.has("limit") else None
    if limit is not None and limit < 1:
        raise section.wrong("limit", "a whole number of at least 1")
    return limit
