"""Outcomes that are not simply a table or an error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.e2e.hostile.model import Record, table
from tests.e2e.hostile.scenario import Judge, Outcome, Scenario
from tests.e2e.hostile.server import HostileApi
from tests.support.extraction import Extraction


def unverified(missing: int = 0) -> Judge:
    """So many records at the end of the page are missing, which nobody could know: the report marks the page."""

    def judge(scenario: Scenario) -> Outcome:
        return Outcome(table(_read(scenario, scenario.page[: len(scenario.page) - missing])), check=_is_marked)

    return judge


def report_of(run: Extraction) -> dict[str, Any]:
    return json.loads((run.out / "report.json").read_text())


def _read(scenario: Scenario, left: Sequence[Record]) -> list[Record]:
    """What is read when only these records are left of the page."""
    behind = scenario.records[len(scenario.before) + len(scenario.page) :]
    if left == scenario.page or (scenario.way.name == "cursor" and left):
        return scenario.records  # the next page starts behind the last id that came
    is_last = not scenario.way.has_tokens  # a short page is the last one
    return [*scenario.before, *left, *([] if is_last else behind)]


def _is_marked(run: Extraction, _api: HostileApi) -> None:
    (job,) = report_of(run)["jobs"]
    assert job["unverified"] == 1
