"""A flow must not wait for itself.

A flow keeps others of its configuration waiting until it has ended. A task that runs the same flow again, directly or
through other flows, would wait for what waits for it, so such a task is refused before it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from penstock.components.catalogue import find_component
from penstock.components.component import Runs
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError
from penstock.services.queue.flows.errors import FlowRunsItself
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.store import jobs
from penstock.services.storage import interface as storage

Key = tuple[str, str]
"""A component and one of its configurations."""


def check_recursion(tx: Transaction, caller: Caller, parent: JobRow, request: JobRequest) -> None:
    left = list(_find_flow(request.component, request.config))
    if request.config_data:
        left += _list_flows(request.config_data)
    if not left:  # most tasks run no flow, and the jobs above this one are large
        return
    above, seen = set(_list_above(tx, parent)), set[Key]()
    while left:
        key = left.pop()
        if key in above:
            raise FlowRunsItself(*key)
        if key not in seen:
            seen.add(key)
            left += _list_flows(_read_document(tx, caller, key))


def _list_above(tx: Transaction, job: JobRow | None) -> Iterator[Key]:
    """The jobs around this one that others of their configuration wait for."""
    while job:
        if job.lock_key is not None and job.config:
            yield job.component, job.config
        job = jobs.find_job(tx, job.project_id, job.parent_id) if job.parent_id else None


def _list_flows(document: dict[str, Any]) -> Iterator[Key]:
    """The flows that a flow runs, even if its document is malformed, which is reported elsewhere."""
    tasks = document.get("tasks")
    for task in cast(list[Any], tasks) if isinstance(tasks, list) else []:
        if not isinstance(task, dict) or not cast(dict[str, Any], task).get("enabled", True):
            continue
        inner = cast(dict[str, Any], task).get("task")
        if isinstance(inner, dict):
            wanted = cast(dict[str, Any], inner)
            yield from _find_flow(str(wanted.get("componentId")), wanted.get("configId"))


def _find_flow(component_id: str, config_id: Any) -> Iterator[Key]:
    component = find_component(component_id)
    if component and component.runs in (Runs.FLOW, Runs.ORCHESTRATION) and config_id:
        yield component.id, str(config_id)


def _read_document(tx: Transaction, caller: Caller, key: Key) -> dict[str, Any]:
    try:
        return storage.read_configuration(tx, caller, *key).document
    except AppError:
        # Not found, or not readable: creating the job raises that error.
        return {}
