"""A field that holds the time of the last change of each record, for incremental loading."""

from __future__ import annotations

import re
from typing import Any, cast

from penstock.extractor.base.numbers import Float
from penstock.extractor.responses.envelope.fields import normal

_NAME = re.compile(
    r"(date|time)?(last)?(updated?|modified|modification|changed?|edited|lastmod)(date|time|at|on|utc|ts)*(time|utc|datetime)?"
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?|/Date\(\d+.*\)/|\d{10}(\.\d+)?|\d{13}").fullmatch
INNER = ("node", "attributes", "fields", "properties", "meta", "metadata")


def find_updated(records: list[Any]) -> str:
    """The path of such a field in each record; empty if there is none."""
    first = cast(dict[str, Any], records[0]) if records and isinstance(records[0], dict) else {}
    inner = {f"{name}.{key}": value for name in INNER for key, value in _members(first.get(name))}
    return next((path for path, value in {**first, **inner}.items() if _is_time(path, value)), "")


def _members(value: Any) -> list[tuple[str, Any]]:
    return list(cast(dict[str, Any], value).items()) if isinstance(value, dict) else []


def _is_time(path: str, value: Any) -> bool:
    name = normal(path.rpartition(".")[2])
    is_scalar = isinstance(value, (str, int, Float)) and not isinstance(value, bool)
    return bool(is_scalar and _NAME.fullmatch(name) and _TIME(str(value)))
