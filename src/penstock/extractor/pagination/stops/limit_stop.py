"""Enough records: so many as the configuration says, or as the response says there are."""

from __future__ import annotations

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page
from penstock.extractor.pagination.around import Around
from penstock.extractor.pagination.method import Stop
from penstock.extractor.pagination.numeric import leading_whole
from penstock.extractor.pagination.options import Options
from penstock.extractor.records.path import look_up


class LimitStop(Around, frozen=True, kw_only=True, tag="limitStop"):
    limit: int = 0
    field: str = ""
    """The path of the limit in each response."""

    @classmethod
    def read(cls, options: Options) -> LimitStop:
        if options.has("field") and options.has("count"):
            raise UserError(
                f"Specify only one of 'limitStop.field' or 'limitStop.count'. Remove one of them from `{options.path}`."
            )
        if not options.has("field") and not options.has("count"):
            raise UserError(
                "One of 'limitStop.field' or 'limitStop.count' attributes is required. "
                f"Set one of them in `{options.path}`."
            )
        return cls(field=options.text("field")) if options.has("field") else cls(limit=options.whole("count") or 0)

    def count(self, counted: int | None, page: Page) -> int | Stop:
        total = (counted or 0) + len(page.records)
        limit = leading_whole(look_up(self.field, page.document)) if self.field else self.limit
        if total >= limit:
            return Stop(f"Limit reached, stopping scrolling. Current count: {total}, limit: {limit}")
        return total
