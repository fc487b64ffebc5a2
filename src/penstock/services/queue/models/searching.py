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
    """Only the jobs with these ids."""
    run_id: Texts = None
    """Only the jobs with these run ids: the ids of their parents and their own, with dots between them."""
    token_id: Texts = None
    """Only jobs that these tokens created."""
    token_description: Texts = None
    """Only jobs of tokens with these descriptions."""
    mode: Texts = None
    """Only jobs with these modes: `run`, `forceRun` or `debug`."""
    status: Texts = None
    """Only jobs with these statuses: `created`, `waiting`, `processing`, `terminating`, `success`, `warning`, `error`,
    `cancelled` or `terminated`."""
    desired_status: Texts = None
    """Only jobs with this status to be reached: `processing`, or `terminating` after a request to stop."""
    tag: Texts = None
    """Only jobs with these versions of their components."""
    variable_values_id: Texts = None
    """Only jobs that use the values of these rows of variables."""
    config_row_ids: Texts = None
    """Only jobs that run at least one of these rows."""
    component_id: Texts = None
    """Only jobs of these components."""
    component: Texts = None
    """Another name of `componentId`."""
    config_id: Texts = None
    """Only jobs of these configurations."""
    config: Texts = None
    """Another name of `configId`."""
    config_ids: Texts = None
    """Another name of `configId`."""
    branch_id: Texts = None
    """Only jobs of these branches; `null` and `default` mean Main."""
    project_id: Texts = None
    """Only jobs of these projects. A token finds only those of its own."""
    type: Texts = None
    """Only jobs of these kinds: `standard`, `container`, `phaseContainer`, `orchestrationContainer` or
    `retryContainer`."""
    parent_run_id: str | None = None
    """Only jobs that are parts of the one with this run id. An empty text means jobs that are part of none."""
    component_props: dict[str, Any] | None = None
    """Only jobs of components of a type, such as `componentProps[type]=extractor`."""
    created_time_from: str | None = None
    """Only jobs that were created at this time or later: an ISO 8601 time, or a text such as `-1 week` or `today`."""
    created_time_to: str | None = None
    """Only jobs that were created at this time or earlier."""
    start_time_from: str | None = None
    """Only jobs that began at this time or later."""
    start_time_to: str | None = None
    """Only jobs that began at this time or earlier."""
    end_time_from: str | None = None
    """Only jobs that ended at this time or later."""
    end_time_to: str | None = None
    """Only jobs that ended at this time or earlier."""
    duration_seconds_from: float | None = None
    """Only jobs that ran for at least so many seconds."""
    duration_seconds_to: float | None = None
    """Only jobs that ran for at most so many seconds."""


class JobSearch(Filters, frozen=True, kw_only=True, rename="camel"):
    limit: Page = LIMIT
    """The highest number of jobs to return."""
    offset: Count = 0
    """How many jobs are skipped before the first one that is returned."""
    sort_by: SortBy = "id"
    """What the jobs are sorted by."""
    sort_order: SortOrder = "desc"
    """`asc` or `desc`."""


class GroupedSearch(Filters, frozen=True, kw_only=True, rename="camel"):
    group_by: str | Searched[str]
    """What makes a group: some of `projectId`, `branchId`, `componentId` and `configId`."""
    jobs_per_group: Page = 5
    """The highest number of jobs of each group."""
    limit: Page = LIMIT
    """The highest number of groups to return."""
    sort_by: SortBy = "id"
    """What the jobs are sorted by."""
    sort_order: SortOrder = "asc"
    """`asc` or `desc`."""
    filters: dict[str, Any] | None = None
    """The same filters once more, in brackets, such as `filters[createdTimeFrom]=-1 week`."""


class ConfigurationsSearch(JobSearch, frozen=True, kw_only=True, rename="camel"):
    jobs_per_configuration: Page = 5
    """The highest number of jobs of each configuration."""


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


def read_groups(texts: Texts) -> list[str]:
    groups = _known("groupBy", texts, GROUPS)
    if not groups:
        raise InvalidSearch("groupBy", f"This field is missing; use some of {', '.join(GROUPS)}.")
    return list(dict.fromkeys(groups))


def _texts(raw: Any) -> list[str]:
    values = cast(list[Any], raw) if isinstance(raw, list) else [raw]
    if not all(isinstance(value, str | None) for value in values):
        raise InvalidSearch("componentProps", "A filter is a text or a list of texts.")
    return [value for value in values if value]


def _numbers(texts: Texts) -> list[int]:
    """A text that is not a number is no id; it becomes 0, which no object has."""
    return [ids.read_id(text) or 0 for text in _texts(texts)]


def _known(field: str, texts: Texts, allowed: Sequence[str]) -> list[str]:
    values = _texts(texts)
    for value in values:
        if value not in allowed:
            raise NotOneOf(field, value, allowed)
    return values


def _branches(texts: Texts, main_branch_id: int) -> list[int]:
    return [main_branch_id if text in ("null", "default") else ids.read_id(text) or 0 for text in _texts(texts)]


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
