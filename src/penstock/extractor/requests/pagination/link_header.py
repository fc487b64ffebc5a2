"""Link-header pagination: the header `Link: <…>; rel="next"` (RFC 8288) holds the address of the next page."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from penstock.extractor.base.http import Request
from penstock.extractor.base.settings import Setting
from penstock.extractor.records.page import Page, find_header
from penstock.extractor.requests.pagination.method import IncludeParams, Method, Step, Stop

# A quoted value may contain the commas and semicolons that separate links and their parameters, so links are matched as
# a whole instead of splitting the header.
_VALUE = r'"(?:[^"\\]|\\.)*"|[^\s",;]*'
_LINK = rf"<([^<>]*)>((?:\s*;\s*(?:[^\s=;,\"]+\s*(?:=\s*(?:{_VALUE}))?)?)*)"
_PARAM = rf";\s*([^\s=;,\"]+)\s*(?:=\s*({_VALUE}))?"
_ESCAPED = r"\\(.)"


class Target(msgspec.Struct, frozen=True):
    """One link of the header: a URL and its relations to this page."""

    address: str
    rels: tuple[str, ...]
    """In lower case."""


class Link(Method, frozen=True, tag="link"):
    rel: Annotated[str, Setting("The relation of the link to follow.")] = "next"
    include_params: IncludeParams = False

    @property
    def moving(self) -> str:
        return "the address in the header Link. Check `pagination.includeParams`"

    def suspect(self, job: Request, last: int) -> str:
        return f"The last response has no header `Link` with the relation `{self.rel}`: use another pagination method."

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        rel = self.rel.lower()
        links = parse_links(find_header(page, "Link") or "")
        address = next((link.address for link in links if rel in link.rels and link.address), "")
        if not address:
            return Stop("No more pages, stopping pagination.")
        return Step(replace(job, endpoint=address, params=job.params if self.include_params else {}))


def parse_links(header: str) -> list[Target]:
    """Returns the links of a header, or of several joined by commas; anything else is ignored."""
    return [Target(match[1].strip(), _rels(match[2])) for match in re.finditer(_LINK, header)]


def _rels(params: str) -> tuple[str, ...]:
    """Reads the first `rel`: only that counts, according to the standard."""
    values = (_unquoted(match[2] or "") for match in re.finditer(_PARAM, params) if match[1].lower() == "rel")
    return tuple(next(values, "").lower().split())


def _unquoted(value: str) -> str:
    return re.sub(_ESCAPED, r"\1", value[1:-1]) if value.startswith('"') else value
