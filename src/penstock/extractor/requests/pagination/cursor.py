"""Cursor pagination: after the highest id seen (or before the lowest) until a page holds no records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.integers import MAX_TEXT_LENGTH, integer_parts
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.path import explain_keys
from penstock.extractor.base.section import SHOWN
from penstock.extractor.base.settings import Setting
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Method, ParamsWithin, Step, Stop


class Cursor(Method, frozen=True, tag="cursor"):
    id_key: Annotated[
        str,
        Setting(
            "The path of the id in each record, with dots into objects.",
            "the path of the id in each record, for example id",
        ),
    ]
    param: Annotated[
        str,
        Setting(
            "The parameter that carries the cursor.",
            "the name of the parameter that carries the cursor, for example since",
        ),
    ]
    increment: Annotated[int, Setting("What is added to the highest id.", is_exact=True)] = 0
    reverse: Annotated[bool, Setting("Whether the lowest id leads instead of the highest.")] = False
    params_within: ParamsWithin = ""

    reads_response = False
    missing = "Missing 'pagination.{}' attribute required for cursor pagination"

    @property
    def moving(self) -> str:
        return f"the parameter `{self.param}`. Check `pagination.param`"

    def suspect(self, job: Request, last: int) -> str:
        return "Check `pagination.param`, `pagination.reverse`, and whether the API sorts its records by `idKey`."

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: int | None, page: Page) -> Step | Stop:
        if not page.records:
            return Stop("No data in response, stopping scrolling.")
        furthest = page.extreme(self.id_key, is_low=self.reverse)
        if furthest is None:
            furthest = self._furthest(self._integer_ids(page))
        return self._step(job, furthest if position is None else self._furthest([furthest, position]))

    def _furthest(self, values: Sequence[int]) -> int:
        return min(values) if self.reverse else max(values)

    def _step(self, job: Request, position: int) -> Step:
        return Step(job.with_params({self.param: position + self.increment}, self.params_within), position)

    def _integer_ids(self, page: Page) -> Sequence[int]:
        values = page.values(self.id_key)
        ids = integer_parts(values)
        if None in ids:
            index = ids.index(None)
            raise UserError(_not_numeric(self.id_key, values[index], page.records[index]))
        return cast(Sequence[int], ids)


def _not_numeric(key: str, value: Any, record: Any) -> str:
    fix = "Set `parameters.api.pagination.idKey` to the path of a number"
    if value is None:
        return (
            f"Cursor value 'null' is not numeric. Some records have no `{key}`: {fix} that every record has, relative "
            f"to the record.{explain_keys(record)}"
        )
    return (
        f"Cursor value '{json_text(value)[:SHOWN]}' is not numeric. {fix}, relative to the record, of at most "
        f"{MAX_TEXT_LENGTH} digits; `{key}` holds something else."
    )
