"""Searches among the jobs that the caller may see."""

from __future__ import annotations

from datetime import timedelta
from itertools import groupby
from typing import Any

import msgspec

from penstock.components.catalogue import find_component
from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.constraints import explain_error
from penstock.foundation.database import Transaction
from penstock.services.queue.errors import InvalidSearch
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.searching import (
    GROUPED_MOST,
    Asked,
    ConfigurationsSearch,
    Filters,
    GroupedSearch,
    JobSearch,
    order_of,
    read_filters,
    read_groups,
)
from penstock.services.queue.store import searching

MONTH = timedelta(days=31)

Group = tuple[dict[str, str | None], list[JobRow]]


def search_jobs(tx: Transaction, caller: Caller, search: JobSearch) -> list[JobRow]:
    asked = _read(caller, search)
    return searching.search_jobs(tx, scope_of(caller), asked, order_of(search), search.limit, search.offset)


def search_groups(tx: Transaction, caller: Caller, search: GroupedSearch) -> list[Group]:
    """The newest jobs of each group, with what the group has in common."""
    groups, asked = read_groups(search.group_by), _read_both(caller, search)
    if search.limit * search.jobs_per_group > GROUPED_MOST:
        raise InvalidSearch("jobsPerGroup", f"This asks for more than {GROUPED_MOST} jobs; ask for fewer groups.")
    found = searching.search_groups(
        tx, scope_of(caller), asked, groups, search.jobs_per_group, order_of(search), search.limit
    )
    return [(shared, list(rows)) for shared, rows in groupby(found, lambda job: _common(job, groups))]


def list_newest(tx: Transaction, caller: Caller, search: ConfigurationsSearch) -> list[JobRow]:
    """The newest jobs of the listed configurations."""
    asked, most = _read(caller, search), search.jobs_per_configuration
    return searching.search_newest(tx, scope_of(caller), asked, most, order_of(search), search.limit, search.offset)


def list_latest(tx: Transaction, caller: Caller, search: JobSearch) -> list[JobRow]:
    """The newest job of every configuration that was run in the last month."""
    asked = _read(caller, search)
    asked = msgspec.structs.replace(asked, after={"created_time": clock.now() - MONTH, **asked.after})
    return searching.search_newest(tx, scope_of(caller), asked, 1, order_of(search), search.limit, search.offset)


def sum_durations(tx: Transaction, caller: Caller) -> int:
    """Seconds that jobs of the project have run."""
    return searching.sum_durations(tx, caller.project_id)


def _read_both(caller: Caller, search: GroupedSearch) -> Asked:
    """The filters of the query, with those that are nested in it over them."""
    asked = _read(caller, search)
    try:
        nested = _read(caller, msgspec.convert(search.filters or {}, Filters, strict=False))
    except msgspec.ValidationError as error:
        raise InvalidSearch("filters", explain_error(error)) from error
    merged = {name: getattr(asked, name) | getattr(nested, name) for name in ("lists", "after", "before")}
    single = {name: _either(getattr(nested, name), getattr(asked, name)) for name in ("shortest", "longest")}
    return Asked(**merged, **single, row_ids=nested.row_ids or asked.row_ids)


def _either(first: Any, second: Any) -> Any:
    return second if first is None else first


def _read(caller: Caller, filters: Filters) -> Asked:
    """An alias of a component is replaced by the id that its jobs have."""
    asked = read_filters(filters, caller.main_branch_id)
    if components := asked.lists.get("component"):
        return msgspec.structs.replace(asked, lists={**asked.lists, "component": [*map(_real_id, components)]})
    return asked


def _real_id(value: str) -> str:
    component = find_component(value)
    return component.id if component else value


def scope_of(caller: Caller) -> searching.Scope:
    """Return whose jobs the caller sees."""
    return searching.Scope(
        project_id=caller.project_id,
        token_id=caller.token_id,
        sees_all=caller.sees_all_buckets,
        components=caller.component_access,
    )


def _common(job: JobRow, groups: list[str]) -> dict[str, str | None]:
    values = {
        "projectId": str(job.project_id),
        "branchId": str(job.branch_id),
        "componentId": job.component,
        "configId": job.config,
    }
    return {group: values[group] for group in groups}
