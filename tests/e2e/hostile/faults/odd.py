"""One odd record in otherwise ordinary data, and the table that has to come of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.e2e.hostile.model import COLUMNS, Data, Record, table
from tests.e2e.hostile.scenario import Judge, Outcome, Scenario
from tests.e2e.hostile.server import HostileApi
from tests.support.extraction import Extraction

MAX_CELL_LENGTH = 1 << 27
Change = Callable[[Data, int, Random], Data]


def odd_of(data: Data, position: int) -> Record:
    page = data.page(position)
    return page[len(page) // 2]


def odd(**changes: Any) -> Change:
    """The data with one record changed."""

    def change(data: Data, position: int, _random: Random) -> Data:
        return _changed(data, odd_of(data, position), changes)

    return change


def shown(**changes: Any) -> Judge:
    """The table of the data, in which the odd record looks so."""

    def judge(scenario: Scenario) -> Outcome:
        record = odd_of(scenario.data, scenario.position)
        return Outcome(table(_changed(scenario.data, record, changes).records))

    return judge


def with_columns(*values: str, names: Sequence[str] = ()) -> Judge:
    """Besides the usual columns there are some that hold these values, in the odd record only; names differ."""

    def judge(scenario: Scenario) -> Outcome:
        record = odd_of(scenario.data, scenario.position)

        def check(run: Extraction, _api: HostileApi) -> None:
            _check_columns(run, scenario, record, values, names)

        return Outcome(check=check)

    return judge


def _check_columns(
    run: Extraction, scenario: Scenario, record: Record, values: Sequence[str], names: Sequence[str]
) -> None:
    text = (run.out / "tables/hostile.items").read_bytes().decode()
    csv.field_size_limit(MAX_CELL_LENGTH)
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    extra = {each.id: list(values) if each is record else [""] * len(values) for each in scenario.records}
    assert header[: len(COLUMNS)] == list(COLUMNS)
    assert len({*header}) == len(COLUMNS) + len(values)
    assert not names or header[len(COLUMNS) :] == list(names)
    assert rows == [[*each.cells, *extra[each.id]] for each in scenario.records]


def _changed(data: Data, record: Record, changes: dict[str, Any]) -> Data:
    return Data(tuple(replace(each, **changes) if each is record else each for each in data.records), data.size)
