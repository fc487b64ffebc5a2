"""Looks for a field with the time of the last change of a record, and for a parameter that selects records by that
time: with a time in the future, none come."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.responses.response_meta.fields import normal
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


_NAME = re.compile(
    r"(date|time)?(last)?(updated?|modified|modification|changed?|edited|lastmod)(date|time|at|on|utc|ts)*(time|utc|datetime)?"
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?|/Date\(\d+.*\)/|\d{10}(\.\d+)?|\d{13}").fullmatch
INNER = ("node", "attributes", "fields", "properties", "meta", "metadata")


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


def find_updated(records: list[Any]) -> str:
    """Returns the path of such a field in each record; empty if there is none."""
    first = cast(dict[str, Any], records[0]) if records and isinstance(records[0], dict) else {}
    inner = {f"{name}.{key}": value for name in INNER for key, value in _members(first.get(name))}
    return next((path for path, value in {**first, **inner}.items() if _is_time(path, value)), "")


def _members(value: Any) -> list[tuple[str, Any]]:
    return list(cast(dict[str, Any], value).items()) if isinstance(value, dict) else []


def _is_time(path: str, value: Any) -> bool:
    name = normal(path.rpartition(".")[2])
    is_scalar = isinstance(value, (str, int, Float)) and not isinstance(value, bool)
    return bool(is_scalar and _NAME.fullmatch(name) and _TIME(str(value)))
