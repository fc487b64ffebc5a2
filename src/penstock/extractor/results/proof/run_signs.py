"""Looks at the pages of one run of a job for signs that it ended too early.

Only the first page is searched, and what is found there is looked up again on the last one. So this costs nothing per
record, and next to nothing per page.
"""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.http import Request
from penstock.extractor.base.path import NotFound, get, look_up
from penstock.extractor.records.find import DataField
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Method
from penstock.extractor.requests.pagination.stops import WANTED
from penstock.extractor.responses.response_meta.fields import Path, render_value, spell
from penstock.extractor.responses.response_meta.further_pages import (
    FurtherPages,
    arrays_in,
    read_further_pages,
    show_field,
)
from penstock.extractor.results.proof.findings import count

MAX_RUNS = 100
"""How many runs of a child job are looked at: the others are like them."""
SMALL = 1 << 16
"""How many bytes a page that only the fast path has read may have to be decoded again."""
MAX_SHOWN = 10
"""Keys and arrays that a message lists."""


class RunSigns:
    """Call `add` for every page in order; the properties are valid after the last one."""

    def __init__(self, method: Method, request: Request, field: DataField, *, has_claim: bool = False) -> None:
        """`has_claim` if the total is checked with `expectedCount`."""
        self._method, self._request, self._field, self._has_claim = method, request, field, has_claim
        self._first = FurtherPages()
        self._records = self._last = 0
        self._keys: list[str] = []
        self._body = b""
        self._says_more = self._is_found = self._is_error = False
        self._starts_later = False
        self.lost, self.arrays = 0, ""
        """How many pages have nothing at `dataField`, and the arrays of the first of them."""
        self.pages = 0
        """How many pages were looked at."""

    def add(self, page: Page, position: Any = None) -> None:
        if page.is_error:
            self._is_error = True
            return
        self._last = len(page.records)
        self._records += self._last
        if not self.pages:
            self._look_at_first(page, position)
        elif not self._first.is_silent:
            self._look_again(page)
        self.pages += 1
        if page.document is not None:
            self._look_for_next(page.document)
            self._look_for_field(page)

    def early_end(self, reason: str) -> str:
        """Returns what shows that the run ended before the last page, and what to do; empty if nothing does."""
        evidence = "" if reason.startswith(WANTED) or self._is_error or self._starts_later else self._evidence()
        if not evidence:
            return ""
        read = f"read {count(self._records, 'record')} on {count(self.pages, 'page')}"
        return f"{read}, but there seem to be more: {evidence}. {self._advice()}"

    def repetition(self) -> str:
        """Returns the same for a run that ended because page 2 was the same as page 1. A later page that is the same
        shows that the parameter has an effect, and a single record has no second page."""
        flag, total = self._first.signs.flag, self._first.signs.total
        is_all = (flag is not None and not flag.says_more) or (total is not None and total <= self._records)
        if self.pages != 1 or self._records < 2 or is_all:
            return ""
        return (
            f"received page 1 again as page 2, so it has only {count(self._records, 'record')}: the API seems to "
            f"ignore {self._method.moving}."
        )

    @property
    def missing_path(self) -> str:
        """Returns where the method looked for the next value in vain, on all pages; empty if it was there, or is not in
        the document."""
        own = self._method.next_path
        if own is None or self._is_found or not self._keys:
            return ""
        where = f"`{own.path}` (`pagination.{own.setting}`)"
        return f"{where} is in none of its responses. They have {_listed(self._keys)}."

    def _look_at_first(self, page: Page, position: Any) -> None:
        self._starts_later = position is not None and (type(position) is not int or position > 1)
        if page.document is None and len(page.body) <= SMALL:  # of a child job, whose earlier runs were as this one
            page = replace(page, document=_decoded(page.body))
        document, path = page.document, _records_path(page.document, self._field)
        own = self._method.next_path
        own_path = tuple(own.path.split(own.delimiter)) if own else None
        if isinstance(document, dict):
            self._keys = list(cast(dict[str, Any], document))
        self._first = read_further_pages(document, path, page.headers, self._last, own_path)
        self._look_again(page)

    def _look_again(self, page: Page) -> None:
        """A page of the fast path has no document: its body is decoded if it turns out to be the last one."""
        self._body = page.body if page.document is None else b""
        self._says_more = page.document is not None and self._is_more(page.document)

    def _look_for_next(self, document: Any) -> None:
        own = self._method.next_path
        if own is not None and not self._is_found:
            self._is_found = _has(own.path, document, own.delimiter)

    def _look_for_field(self, page: Page) -> None:
        path = self._field.path
        if page.records or path in ("", "0") or _has(path, page.document, self._field.delimiter):
            return
        self.lost += 1
        self.arrays = self.arrays or _arrays(page.document)

    def _is_more(self, document: Any) -> bool:
        flag, following = self._first.signs.flag, self._first.next
        if flag is not None:
            value = look_up(spell(flag.path)[0], document, spell(flag.path)[1])
            return isinstance(value, bool) and value != flag.stop_on
        return following is not None and bool(look_up(spell(following.path)[0], document, spell(following.path)[1]))

    def _evidence(self) -> str:
        first, signs = self._first, self._first.signs
        if signs.total is not None and signs.total > self._records and not self._has_claim:
            return f"`{signs.total_name}` is {signs.total}"
        if signs.flag is not None:
            return (
                f"`{spell(signs.flag.path)[0]}` is {render_value(not signs.flag.stop_on)}"
                if self._ends_with_more()
                else ""
            )
        if first.total_pages is not None and self.pages == 1 and first.total_pages.value > 1:
            return show_field(first.total_pages)
        if self.pages == 1 and self._last:
            hint = first.next or (first.hint if self._method.next_path and not self._is_found else None)
            return show_field(hint) if hint is not None else ""
        return ""

    def _ends_with_more(self) -> bool:
        """Returns whether the flag of the last page says that there is another; an empty page is an end in any case."""
        if not self._last:
            return False
        return self._is_more(_decoded(self._body)) if self._body else self._says_more

    def _advice(self) -> str:
        return self.missing_path or self._method.suspect(self._request, self._last)


def _decoded(body: bytes) -> Any:
    try:
        return decode(body).document
    except NotJson:
        return None


def _records_path(document: Any, field: DataField) -> Path:
    if field.path in ("", "0"):
        members = cast(dict[str, Any], document) if isinstance(document, dict) else {}
        return next(((key,) for key, value in members.items() if isinstance(value, list)), ())
    return () if field.path == field.delimiter else tuple(field.path.split(field.delimiter))


def _has(path: str, document: Any, delimiter: str) -> bool:
    try:
        get(path, document, delimiter)
    except NotFound:
        return False
    return True


def _arrays(document: Any) -> str:
    arrays = [f"`{spell(path)[0] or '.'}` ({count(size, 'item')})" for path, size in arrays_in(document)]
    if arrays:
        return f"Arrays are at {', '.join(arrays[:MAX_SHOWN])}."
    keys = list(cast(dict[str, Any], document)) if isinstance(document, dict) else []
    return f"There is no array in the response, which has {_listed(keys)}." if keys else ""


def _listed(keys: list[str]) -> str:
    shown_keys = ", ".join(f"`{key}`" for key in keys[:MAX_SHOWN])
    return f"the key {shown_keys}" if len(keys) == 1 else f"the keys {shown_keys}"
