"""Stops after a number of records, which is set in the configuration or found in the response."""

from __future__ import annotations

from typing import Self

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.integers import leading_integer
from penstock.extractor.base.path import look_up
from penstock.extractor.base.section import Section
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Stop
from penstock.extractor.requests.pagination.stops.around import Around


class LimitStop(Around, frozen=True, kw_only=True, tag="limitStop"):
    limit: int = 0
    field: str = ""
    """The path of the limit in each response."""

    @classmethod
    def read(cls, section: Section) -> Self:
        if section.has("field") and section.has("count"):
            raise UserError(
                f"Specify only one of 'limitStop.field' or 'limitStop.count'. Remove one of them from `{section.path}`."
            )
        if not section.has("field") and not section.has("count"):
            raise UserError(
                "One of 'limitStop.field' or 'limitStop.count' attributes is required. "
                f"Set one of them in `{section.path}`."
            )
        return cls(field=section.text("field")) if section.has("field") else cls(limit=section.integer("count") or 0)

    def count(self, counted: int | None, page: Page) -> int | Stop:
        total = (counted or 0) + len(page.records)
        limit = leading_integer(look_up(self.field, page.document)) if self.field else self.limit
        if total >= limit:
            return Stop(f"Limit reached, stopping scrolling. Current count: {total}, limit: {limit}")
        return total
