"""Cursor pagination: after the highest id seen (or before the lowest) until a page holds no records."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Meta

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.json_text import json_text
from penstock.extractor.pagination.method import Method, Step
from penstock.extractor.records.path import look_up

_NUMERIC = re.compile(r"[ \t\n\r\v\f]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?").fullmatch


class Cursor(Method, frozen=True, tag="cursor"):
    id_key: Annotated[str, Meta(min_length=1)]
    param: Annotated[str, Meta(min_length=1)]
    increment: int = 0
    reverse: bool = False

    stopped = "No data in response, stopping scrolling."

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: int | None, page: Page) -> Step | None:
        if not page.records:
            return None
        seen = [self._value(record) for record in page.records]
        return self._step(job, self._furthest(seen if position is None else [*seen, position]))

    def _furthest(self, values: list[int]) -> int:
        return min(values) if self.reverse else max(values)

    def _step(self, job: Request, position: int) -> Step:
        return Step(job.with_params({self.param: position + self.increment}), position)

    def _value(self, record: Any) -> int:
        value = look_up(self.id_key, record)
        if type(value) is int:
            return value
        if isinstance(value, str) and _NUMERIC(value):
            return int(Decimal(value.strip()))
        raise UserError(_not_numeric(self.id_key, value))


def _not_numeric(key: str, value: Any) -> str:
    if value is None:
        return (
            f"Cursor value 'null' is not numeric. Some records have no `{key}`: set `parameters.api.pagination.idKey` "
            "to the path of a number that every record has, relative to the record."
        )
    return (
        f"Cursor value '{json_text(value)[:200]}' is not numeric. Set `parameters.api.pagination.idKey` to the path of "
        f"a number, relative to the record; `{key}` holds something else."
    )
