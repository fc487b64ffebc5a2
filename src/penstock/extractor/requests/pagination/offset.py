"""Offset pagination: `?limit=100&offset=0`, then 100, 200, … until a page comes back short."""

from __future__ import annotations

from typing import Annotated, Any, Self

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.integers import integer_part
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.base.values import is_empty
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import FirstPageParams, LimitParam, Method, ParamsWithin, Step, Stop
from penstock.extractor.requests.pagination.own_params import own_limit, own_offset, suspect_size


class Offset(Method, frozen=True, tag="offset"):
    limit: Annotated[int, Setting("The page size.")]
    limit_param: LimitParam = "limit"
    offset_param: Annotated[str, Setting("The parameter that carries the offset.")] = "offset"
    first_page_params: FirstPageParams = True
    offset_from_job: Annotated[bool, Setting("Whether the first offset is the job's own.")] = False
    params_within: ParamsWithin = ""

    reads_response = False

    @classmethod
    def read(cls, section: Section) -> Self:
        return cls.read_with(section, limit=_limit(section))

    @property
    def moving(self) -> str:
        return f"the parameter `{self.offset_param}`. Check `pagination.offsetParam`"

    def suspect(self, job: Request, last: int) -> str:
        return suspect_size(self._size(job), last, self.limit_param) or "Check `pagination.offsetParam`."

    def caution(self, job: Request) -> str:
        if self.first_page_params or is_empty(job.params_within(self.params_within).get(self.limit_param)):
            return ""
        return (
            f"its first request goes without `{self.limit_param}`, because `pagination.firstPageParams` is false. If "
            "the API's own page size is another one than the job's, records are missing or come twice: set "
            f"`{self.limit_param}` to the API's page size, or `firstPageParams` to true."
        )

    def first(self, job: Request) -> Step:
        start = own_offset(job, self.offset_param, self.params_within) if self.offset_from_job else 0
        self._size(job)  # raises for a wrong page size of the job before anything is sent
        return self._step(job, start) if self.first_page_params else Step(self._plain(job), start)

    def after(self, job: Request, position: int | str, page: Page) -> Step | Stop:
        if len(page.records) < self._size(job):
            return Stop("Offset limit reached, stopping scrolling.")
        return self.ahead(job, position)

    def ahead(self, job: Request, position: int | str) -> Step:
        return self._step(job, (integer_part(position) or 0) + self._size(job))

    def _size(self, job: Request) -> int:
        # The limit of the job takes precedence.
        return own_limit(job, self.limit_param, self.params_within) or self.limit

    def _plain(self, job: Request) -> Request:
        """Returns the request without the page parameters, but for an offset from which the pages are counted."""
        names = {self.limit_param} if self.offset_from_job else {self.limit_param, self.offset_param}
        return job.without_params(frozenset(names), self.params_within)

    def _step(self, job: Request, position: Any) -> Step:
        paging = {self.limit_param: self._size(job), self.offset_param: position}
        return Step(job.with_params(paging, self.params_within), position)


def _limit(section: Section) -> int:
    where = f"Set `{section.path}.limit` to the page size, a whole number such as 100."
    if not section.has("limit"):
        raise UserError(f"Missing 'pagination.limit' attribute required for offset pagination. {where}")
    limit = integer_part(section.get("limit"))
    if limit is None:
        rendered = json_text(section.get("limit"))
        raise UserError(f"Parameter 'pagination.limit' is not numeric. Value '{rendered}'. {where}")
    if limit < 1:
        raise section.wrong("limit", "a whole number of at least 1")
    return limit
