"""Next-URL pagination: each response holds the URL of the next page, until one holds none."""

from __future__ import annotations

from typing import Annotated, Any, Self, cast
from urllib.parse import unquote_plus

from msgspec.structs import replace

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.base.values import is_empty_value
from penstock.extractor.records.page import Page, find_value
from penstock.extractor.requests.pagination.method import IncludeParams, Method, NextPath, ParamsWithin, Step, Stop


class ResponseUrl(Method, frozen=True, tag="response.url"):
    url_key: Annotated[str, Setting("The path of the next address in the response.")] = "next_page"
    delimiter: Annotated[str, Setting("What separates the keys of that path.")] = "."
    url_header: Annotated[str, Setting("The response header that holds the next address, instead of urlKey.")] = ""
    include_params: IncludeParams = False
    param_is_query: Annotated[bool, Setting("Whether what is found is a query for the same endpoint.")] = False
    params_within: ParamsWithin = ""

    @classmethod
    def read(cls, section: Section) -> Self:
        section.only_one_of("urlKey", "urlHeader")
        return cls.read_with(section)

    @property
    def moving(self) -> str:
        where = f"header {self.url_header}" if self.url_header else f"field `{self.url_key}`"
        return f"the address in the {where}. Check `pagination.includeParams` and `pagination.paramIsQuery`"

    @property
    def next_path(self) -> NextPath | None:
        return None if self.url_header else NextPath("urlKey", self.url_key, self.delimiter)

    def suspect(self, job: Request, last: int) -> str:
        return f"Check `pagination.{'urlHeader' if self.url_header else 'urlKey'}`."

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        address = self.address(page)
        return self.follow(job, address) if address else Stop("No more pages, stopping pagination.")

    def address(self, page: Page) -> str:
        """Returns the URL of the next page; empty if there is none."""
        url = find_value(page, self.url_key, self.url_header, self.delimiter)
        if is_empty_value(url):
            return ""
        if type(url) is not str:
            where = f"header {self.url_header}" if self.url_header else f"`{self.url_key}` of the response"
            raise UserError(
                f'The "endpoint" property must be specified in request as a string. The {where} holds something else.'
            )
        return url

    def follow(self, job: Request, address: str) -> Step:
        base = replace(job, params=job.params if self.include_params else {})
        if self.param_is_query:
            return Step(base.with_params(query_params(address.lstrip("?")), self.params_within))
        return Step(replace(base, endpoint=address))


def query_params(query: str) -> dict[str, Any]:
    """Returns names and values in their order; a repeated name has a list, one without `=` has null.

    Bytes that are not UTF-8 are replaced, because the values may be sent in a JSON body.
    """
    parsed: dict[str, Any] = {}
    for part in query.split("&") if query else ():
        key, has_value, value = part.partition("=")
        _add(parsed, unquote_plus(key), unquote_plus(value) if has_value else None)
    return parsed


def _add(parsed: dict[str, Any], key: str, value: str | None) -> None:
    earlier = parsed.get(key)
    if isinstance(earlier, list):
        cast(list[str | None], earlier).append(value)
    else:
        parsed[key] = value if earlier is None else [earlier, value]
