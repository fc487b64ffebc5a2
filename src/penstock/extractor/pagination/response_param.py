"""Next-token pagination: each response holds a value that the next request sends, until one holds none."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.pagination.found import find_value
from penstock.extractor.pagination.method import Method, Step, Stop
from penstock.extractor.pagination.options import Options
from penstock.extractor.values import as_map, deep_replace, is_empty_answer


class ResponseParam(Method, frozen=True, tag="response.param"):
    query_param: str
    response_param: str = ""
    response_header: str = ""
    include_params: bool = False
    scroll_request: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    """What further requests have of their own, in the words of a job."""
    params_within: str = ""

    @classmethod
    def read(cls, options: Options) -> ResponseParam:
        options.only_one_of("responseParam", "responseHeader")
        header = options.text("responseHeader")
        return cls(
            response_param="" if header else _required(options, "responseParam"),
            response_header=header,
            query_param=_required(options, "queryParam"),
            include_params=options.flag("includeParams"),
            scroll_request=_scroll_request(options),
            params_within=options.text("paramsWithin"),
        )

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        value = find_value(page, self.response_param, self.response_header)
        if is_empty_answer(value):
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
        return Request(merged["endpoint"], as_map(merged["params"]), merged["method"], as_map(merged["headers"]))


def _required(options: Options, name: str) -> str:
    if not options.has(name):
        raise UserError(f"Missing required 'pagination.{name}' parameter. Set `{options.path}.{name}`.")
    return options.text(name)


def _scroll_request(options: Options) -> dict[str, Any]:
    if options.has("scrollRequest") and not isinstance(options.get("scrollRequest"), (dict, list)):
        raise UserError(
            f"'pagination.scrollRequest' must be a job-like array. Set `{options.path}.scrollRequest` to an object "
            "with `endpoint`, `method`, `params` or `headers`."
        )
    request = options.within("scrollRequest")
    for name in ("params", "headers"):
        request.map(name)
    return {**_texts(request), **{name: as_map(request.get(name)) for name in ("params", "headers")}}


def _texts(request: Options) -> dict[str, str]:
    given = {name: request.text(name) for name in ("endpoint", "method") if request.get(name) is not None}
    if given.get("endpoint") == "":
        raise UserError(
            f'The "endpoint" property must be specified in request as a string. Set `{request.path}.endpoint`.'
        )
    return given
