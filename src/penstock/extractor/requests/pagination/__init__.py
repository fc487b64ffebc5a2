"""Pagination: how the requests for successive pages are built, and when they stop; one file per method."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.section import Section
from penstock.extractor.base.values import TYPE_NAMES, is_empty
from penstock.extractor.requests.pagination.cursor import Cursor
from penstock.extractor.requests.pagination.link_header import Link
from penstock.extractor.requests.pagination.method import Method, OnePage, Step, Stop
from penstock.extractor.requests.pagination.multiple import Choice, Multiple
from penstock.extractor.requests.pagination.offset import Offset
from penstock.extractor.requests.pagination.page_number import PageNumber
from penstock.extractor.requests.pagination.response_param import ResponseParam
from penstock.extractor.requests.pagination.response_url import ResponseUrl
from penstock.extractor.requests.pagination.stops import Stops, read_stops, stop_early
from penstock.extractor.requests.pagination.zendesk import ZendeskUrl

METHODS = {
    str(method.__struct_config__.tag): method
    for method in (Offset, PageNumber, ResponseUrl, ResponseParam, Cursor, ZendeskUrl, Link)
}
KNOWN: tuple[str, ...] = (*METHODS, "multiple")

__all__ = ["KNOWN", "Method", "OnePage", "Pagination", "Step", "Stop", "read_pagination"]


class Pagination(msgspec.Struct, frozen=True):
    """`api.pagination`: a method, or several to choose from, and when to stop early."""

    base: Method | Multiple
    stops: Stops = ()

    def method_for(self, scroller: Any) -> Method:
        """Returns the method of a job with this `scroller`, which names one of several; raises UserError for an unknown
        one."""
        method = self.base.method_for(scroller) if isinstance(self.base, Multiple) else self.base
        return stop_early(method, self.stops)


def read_pagination(raw: Any) -> Pagination:
    """Reads `api.pagination`; raises UserError if it is not valid."""
    above = Section({"pagination": raw}, "parameters.api")
    section = above.map("pagination")
    _check_pages(section.get("pages"))
    return _read(section)


def _read(section: Section) -> Pagination:
    return Pagination(_read_base(section), read_stops(section))


def _read_base(section: Section) -> Method | Multiple:
    method = section.get("method")
    if is_empty(method):
        return OnePage()
    if method == "multiple":
        return _read_multiple(section)
    if not isinstance(method, str) or method not in METHODS:
        rendered = method if isinstance(method, str) else json_text(method)
        methods = ", ".join(KNOWN)
        raise UserError(f"Unknown pagination method '{rendered}'. Set `{section.path}.method` to one of {methods}.")
    return METHODS[method].read(section)


def _read_multiple(section: Section) -> Multiple:
    scrollers = section.within("scrollers")
    if not scrollers.raw:
        raise UserError(
            'At least one scroller must be configured for "multiple" scroller. '
            f"Set `{scrollers.path}` to an object of paginations by name."
        )
    choices = {name: _read_scroller(scrollers, name) for name in scrollers.raw}
    default = section.text("default")
    if default and default not in choices:
        raise UserError(f"Default scroller '{default}' does not exist. Scrollers defined: {', '.join(choices)}.")
    return Multiple(choices, default)


def _read_scroller(scrollers: Section, name: str) -> Choice:
    if not isinstance(scrollers.get(name), (dict, list)):
        # The original lacks the space, too.
        raise UserError(f"Scroller configuration for {name}must be array. Set `{scrollers.path}.{name}` to an object.")
    return _read(scrollers.within(name))


def _check_pages(value: Any) -> None:
    """Checks a key without effect, which the original validates nevertheless."""
    is_number = type(value) is int or (isinstance(value, str) and value.isascii() and value.isdigit())
    if value is not None and not is_number:
        type_name = TYPE_NAMES[type(value)]
        raise UserError(
            f'Value "pages" in "api.pagination" has to be int, {type_name} given. It has no effect: remove '
            "`parameters.api.pagination.pages`."
        )
