"""Next-token pagination: each response holds a value that the next request sends, until one holds none."""

from __future__ import annotations

from typing import Annotated, Any, Self

import msgspec
from msgspec.structs import replace

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.base.values import as_map, deep_replace, is_empty_value
from penstock.extractor.records.page import Page, find_value
from penstock.extractor.requests.pagination.method import IncludeParams, Method, NextPath, ParamsWithin, Step, Stop


class ResponseParam(Method, frozen=True, tag="response.param"):
    query_param: Annotated[str, Setting("The parameter that carries the next value.")]
    response_param: Annotated[str, Setting("The path of the next value in the response.")] = ""
    response_header: Annotated[
        str, Setting("The response header that holds the next value, instead of responseParam.")
    ] = ""
    include_params: IncludeParams = False
    scroll_request: Annotated[
        dict[str, Any], Setting("What further requests have of their own, merged over the job's.")
    ] = msgspec.field(default_factory=dict[str, Any])
    params_within: ParamsWithin = ""

    @classmethod
    def read(cls, section: Section) -> Self:
        section.only_one_of("responseParam", "responseHeader")
        if not section.has("responseParam") and not section.has("responseHeader"):
            raise UserError(f"{cls.missing.format('responseParam')}. Set `{section.path}.responseParam`.")
        return replace(cls.read_with(section, scroll_request={}), scroll_request=_scroll_request(section))

    @property
    def moving(self) -> str:
        return f"the parameter `{self.query_param}`. Check `pagination.queryParam`"

    @property
    def next_path(self) -> NextPath | None:
        return None if self.response_header else NextPath("responseParam", self.response_param)

    def suspect(self, job: Request, last: int) -> str:
        return f"Check `pagination.{'responseHeader' if self.response_header else 'responseParam'}`."

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        value = find_value(page, self.response_param, self.response_header)
        if is_empty_value(value):
            return Stop("No more pages found, stopping pagination.")
        return Step(self._further(job).with_params({self.query_param: value}, self.params_within))

    def _further(self, job: Request) -> Request:
        own = {
            "endpoint": job.endpoint,
            "params": job.params if self.include_params else {},
            "method": job.method,
            "headers": job.headers,
        }
        merged = deep_replace(own, self.scroll_request)
        return Request(
            merged["endpoint"], as_map(merged["params"]), merged["method"], as_map(merged["headers"]), job.private
        )


def _scroll_request(section: Section) -> dict[str, Any]:
    if section.has("scrollRequest") and not isinstance(section.get("scrollRequest"), (dict, list)):
        raise UserError(
            f"'pagination.scrollRequest' must be a job-like array. Set `{section.path}.scrollRequest` to an object "
            "with `endpoint`, `method`, `params` or `headers`."
        )
    request = section.within("scrollRequest")
    for name in ("params", "headers"):
        request.map(name)
    return {**_texts(request), **{name: as_map(request.get(name)) for name in ("params", "headers")}}


def _texts(request: Section) -> dict[str, str]:
    texts = {name: request.text(name) for name in ("endpoint", "method") if request.get(name) is not None}
    if texts.get("endpoint") == "":
        raise UserError(
            f'The "endpoint" property must be specified in request as a string. Set `{request.path}.endpoint`.'
        )
    return texts
