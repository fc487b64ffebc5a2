"""Searches for jobs: the parameters that clients send, and the filters that they mean.

A list arrives as `status=a&status=b`, `status[]=a&status[]=b`, `status[0]=a` or as one value; times are texts such as
`-1 week`. What is empty was not asked for, except `parentRunId`, where it means jobs without a parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, cast

import msgspec

from penstock.foundation import ids
from penstock.foundation.limits import Searched
from penstock.foundation.strtotime import read_time
from penstock.services.queue.errors import InvalidSearch, NotOneOf
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.requests import MODES
from penstock.services.queue.models.statuses import Status

LIMIT, MAX_LIMIT = 100, 500
GROUPED_MOST = 10_000
"""Jobs in one response of groups."""

Texts = str | Searched[str] | None
Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Page = Annotated[int, msgspec.Meta(ge=1, le=MAX_LIMIT)]
SortBy = Literal[
    "id",
    "runId",
    "projectId",
    "branchId",
    "componentId",
    "configId",
    "tokenDescription",
    "status",
    "createdTime",
    "updatedTime",
    "startTime",
    "endTime",
    "durationSeconds",
]
SortOrder = Literal["asc", "desc"]
GROUPS = ("projectId", "branchId", "componentId", "configId")


class Filters(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As clients write them."""

    id: Texts = None
    run_id: Texts = None
    token_id: Texts = None
    token_description: Texts = None
    mode: Texts = None
    status: Texts = None
    desired_status: Texts = None
    tag: Texts = None
    variable_values_id: Texts = None
    config_row_ids: Texts = None
    component_id: Texts = None
    component: Texts = None
    config_id: Texts = None
    config: Texts = None
    config_ids: Texts = None
    branch_id: Texts = None
    project_id: Texts = None
    type: Texts = None
    parent_run_id: str | None = None
    component_props: dict[str, Any] | None = None
    created_time_from: str | None = None
    created_time_to: str | None = None
    start_time_from: str | None = None
    start_time_to: str | None = None
    end_time_from: str | None = None
    end_time_to: str | None = None
    duration_seconds_from: float | None = None
    duration_seconds_to: float | None = None


class JobSearch(Filters, frozen=True, kw_only=True, rename="camel"):
    limit: Page = LIMIT
    offset: Count = 0
    sort_by: SortBy = "id"
    sort_order: SortOrder = "desc"


class GroupedSearch(Filters, frozen=True, kw_only=True, rename="camel"):
    group_by: str | Searched[str]
    jobs_per_group: Page = 5
    limit: Page = LIMIT
    sort_by: SortBy = "id"
    sort_order: SortOrder = "asc"
    filters: dict[str, Any] | None = None
    """The same filters once more, as one client nests them."""


class ConfigurationsSearch(JobSearch, frozen=True, kw_only=True, rename="camel"):
    jobs_per_configuration: Page = 5


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the filters mean. A list holds when one of its values does; all that are given must hold."""

    lists: dict[str, Sequence[Any]] = {}
    """By the column of the jobs table."""
    row_ids: Sequence[str] = ()
    after: dict[str, datetime] = {}
    before: dict[str, datetime] = {}
    shortest: float | None = None
    longest: float | None = None


class Order(msgspec.Struct, frozen=True):
    by: str
    is_descending: bool


def order_of(search: JobSearch | GroupedSearch) -> Order:
    return Order(search.sort_by, search.sort_order == "desc")


def read_filters(filters: Filters, main_branch_id: int) -> Asked:
    lists: dict[str, Sequence[Any]] = {
        "id": _numbers(filters.id),
        "run_id": _texts(filters.run_id),
        "token_id": _numbers(filters.token_id),
        "token_description": _texts(filters.token_description),
        "mode": _known("mode", filters.mode, MODES),
        "status": _known("status", filters.status, list(Status)),
        "desired_status": _known("desiredStatus", filters.desired_status, list(Status)),
        "tag": _texts(filters.tag),
        "variable_values_id": _texts(filters.variable_values_id),
        "component": [*_texts(filters.component_id), *_texts(filters.component)],
        "component_type": _texts((filters.component_props or {}).get("type")),
        "config": [*_texts(filters.config_id), *_texts(filters.config), *_texts(filters.config_ids)],
        "branch_id": _branches(filters.branch_id, main_branch_id),
        "project_id": _numbers(filters.project_id),
        "type": _known("type", filters.type, list(Kind)),
        "parent_run_id": [] if filters.parent_run_id is None else [filters.parent_run_id],
    }
    times = ("created_time", "start_time", "end_time")
    return Asked(
        lists={column: values for column, values in lists.items() if values},
        row_ids=_texts(filters.config_row_ids),
        after=_times(filters, times, "from"),
        before=_times(filters, times, "to"),
        shortest=filters.duration_seconds_from,
        longest=filters.duration_seconds_to,
    )


def read_groups(given: Texts) -> list[str]:
    groups = _known("groupBy", given, GROUPS)
    if not groups:
        raise InvalidSearch("groupBy", f"This field is missing; use some of {', '.join(GROUPS)}.")
    return list(dict.fromkeys(groups))


def _texts(given: Any) -> list[str]:
    values = cast(list[Any], given) if isinstance(given, list) else [given]
    if not all(isinstance(value, str | None) for value in values):
        raise InvalidSearch("componentProps", "A filter is a text or a list of texts.")
    return [value for value in values if value]


def _numbers(given: Texts) -> list[int]:
    """A text that is not a number is no id; it becomes 0, which no object has."""
    return [ids.read_id(text) or 0 for text in _texts(given)]


def _known(field: str, given: Texts, known: Sequence[str]) -> list[str]:
    values = _texts(given)
    for value in values:
        if value not in known:
            raise NotOneOf(field, value, known)
    return values


def _branches(given: Texts, main_branch_id: int) -> list[int]:
    return [main_branch_id if text in ("null", "default") else ids.read_id(text) or 0 for text in _texts(given)]


def _times(filters: Filters, times: Sequence[str], end: str) -> dict[str, datetime]:
    found = {name: getattr(filters, f"{name}_{end}") for name in times}
    return {name: _time(f"{name}_{end}", text) for name, text in found.items() if text}


def _time(field: str, text: str) -> datetime:
    moment = read_time(text)
    if not moment:
        head, *words = field.split("_")
        name = head + "".join(map(str.capitalize, words))
        raise InvalidSearch(name, f"{text[:100]!r} is not a valid time, such as -1 week or 2026-01-31T10:00:00+00:00.")
    return moment
