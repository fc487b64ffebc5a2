"""Looks for a parameter that selects records by the time of their last change: with a time in the future, none come."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.responses.envelope.fields import normal
from penstock.extractor.tools.discovery.budget import BudgetSpent
from penstock.extractor.tools.discovery.draft import Draft
from penstock.extractor.tools.discovery.probe import Probe

NAMES = ("updated_since", "updated_after", "modified_since", "since")
DECLARED = frozenset(
    {
        *("updatedsince", "updatedafter", "updatedatmin", "updatedfrom", "updatedgte", "updatedmin", "since"),
        *("modifiedsince", "modifiedafter", "changedsince", "lastmodified", "startlastmodified", "updateddatefrom"),
        *("sincelastchanged", "fromupdatedat", "updatedatgte", "updatedatgt", "lastupdatedfrom", "changedafter"),
    }
)
FUTURE, FUTURE_SECONDS = "2100-01-01T00:00:00Z", 4_102_444_800


class Filter(msgspec.Struct, frozen=True):
    param: str
    evidence: str
    setting: dict[str, Any]
    """The value of the parameter in a job: the time of the last run."""


async def find_filter(draft: Draft, declared: tuple[str, ...], value: Any, probe: Probe) -> Filter | None:
    """`value` is the time of a change, which shows how the API writes times. None if no parameter was found."""
    is_number = not isinstance(value, str)
    names = [name for name in (*draft.params, *declared) if normal(name) in DECLARED]
    for name in dict.fromkeys(names or NAMES):
        try:
            trial = draft.with_params({name: FUTURE_SECONDS if is_number else FUTURE})
            sample = (await probe.walk(trial, 1)).pages[0]
        except (BudgetSpent, UserError):
            return None
        if not sample.problem and not sample.records:
            return Filter(name, f"{sample.address} returned no records", _since_last_run(is_number))
    return None


def _since_last_run(is_number: bool) -> dict[str, Any]:
    last: dict[str, Any] = {"time": "previousStart"}
    return last if is_number else {"function": "date", "args": ["Y-m-d\\TH:i:s\\Z", last]}
