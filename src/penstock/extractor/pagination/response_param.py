"""Next-token pagination: each response holds a value that the next request sends, until one holds none."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.pagination.method import Method, Step, Stop
from penstock.extractor.pagination.next_value import find_value
from penstock.extractor.section import Section
from penstock.extractor.values import as_map, deep_replace, is_empty_value


class ResponseParam(Method, frozen=True, tag="response.param"):
    query_param: str
    response_param: str = ""
    response_header: str = ""
    include_params: bool = False
    scroll_request: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    """What further requests have of their own, in the words of a job."""
    params_within: str = ""

    @classmethod
    def read(cls, section: Section) -> ResponseParam:
        section.only_one_of("responseParam", "responseHeader")
        header = section.text("responseHeader")
        return cls(
            response_param="" if header else _required(section, "responseParam"),
            response_header=header,
            query_param=_required(section, "queryParam"),
            include_params=section.flag("includeParams"),
            scroll_request=_scroll_request(section),
            params_within=section.text("paramsWithin"),
        )

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


def _required(section: Section, name: str) -> str:
    if not section.has(name):
        raise UserError(f"Missing required 'pagination.{name}' parameter. Set `{section.path}.{name}`.")
    return section.text(name)


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
    given = {name: request.text(name) for name in ("endpoint", "method") if request.get(name) is not None}
    if given.get("endpoint") == "":
        raise UserError(
            f'The "endpoint" property must be specified in request as a string. Set `{request.path}.endpoint`.'
        )
    return given
