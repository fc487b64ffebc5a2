"""Cursor pagination: after the highest id seen (or before the lowest) until a page holds no records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.json_text import json_text
from penstock.extractor.pagination.method import Method, Step, Stop
from penstock.extractor.section import SHOWN, Section
from penstock.extractor.whole_numbers import LONGEST_TEXT, whole_parts


class Cursor(Method, frozen=True, tag="cursor"):
    id_key: str
    param: str
    increment: int = 0
    reverse: bool = False
    params_within: str = ""

    reads_response = False

    @classmethod
    def read(cls, section: Section) -> Cursor:
        return cls(
            id_key=_required(section, "idKey", "the path of the id in each record, for example id"),
            param=_required(section, "param", "the name of the parameter that carries the cursor, for example since"),
            increment=section.exact("increment") or 0,
            reverse=section.flag("reverse"),
            params_within=section.text("paramsWithin"),
        )

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: int | None, page: Page) -> Step | Stop:
        if not page.records:
            return Stop("No data in response, stopping scrolling.")
        found = page.extreme(self.id_key, is_low=self.reverse)
        if found is None:
            found = self._furthest(self._wholes(page.values(self.id_key)))
        return self._step(job, found if position is None else self._furthest([found, position]))

    def _furthest(self, values: Sequence[int]) -> int:
        return min(values) if self.reverse else max(values)

    def _step(self, job: Request, position: int) -> Step:
        return Step(job.with_params({self.param: position + self.increment}, self.params_within), position)

    def _wholes(self, values: Sequence[Any]) -> Sequence[int]:
        wholes = whole_parts(values)
        if None in wholes:
            raise UserError(_not_numeric(self.id_key, values[wholes.index(None)]))
        return cast(Sequence[int], wholes)


def _required(section: Section, name: str, what: str) -> str:
    if not section.has(name):
        missing = f"Missing 'pagination.{name}' attribute required for cursor pagination"
        raise UserError(f"{missing}. Set `{section.path}.{name}` to {what}.")
    return section.text(name)


def _not_numeric(key: str, value: Any) -> str:
    mend = "Set `parameters.api.pagination.idKey` to the path of a number"
    if value is None:
        return (
            f"Cursor value 'null' is not numeric. Some records have no `{key}`: {mend} that every record has, relative "
            "to the record."
        )
    return (
        f"Cursor value '{json_text(value)[:SHOWN]}' is not numeric. {mend}, relative to the record, of at most "
        f"{LONGEST_TEXT} digits; `{key}` holds something else."
    )
