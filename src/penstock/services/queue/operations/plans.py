"""Which tasks of a flow ran in one of its jobs, for users who choose which to run again."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.queue.errors import NotAnOrchestration
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.operations.reading import get_job
from penstock.services.queue.store import children
from penstock.services.storage import interface as storage


def plan_rerun(tx: Transaction, caller: Caller, job_id: str) -> dict[str, Any]:
    """One item for every task that the flow has now."""
    job = get_job(tx, caller, job_id)
    if job.type is not Kind.ORCHESTRATION:
        raise NotAnOrchestration(job.id)
    ran = find_tasks(tx, job)
    matched = [_to_item(task_id, ran.get(task_id)) for task_id in _list_task_ids(tx, caller, job)]
    config = {} if job.config is None else {"configId": job.config}
    return {"jobId": str(job.id), **config, "matchedTasks": matched}


def find_tasks(tx: Transaction, job: JobRow) -> dict[str, JobRow]:
    """The newest job of each task, without the children of that job."""
    found: dict[str, JobRow] = {}
    for child in children.list_children(tx, job):
        if child.type is Kind.PHASE or child.orchestration_task_id is None:
            found |= find_tasks(tx, child)
        else:
            found[child.orchestration_task_id] = child
    return found


def _list_task_ids(tx: Transaction, caller: Caller, job: JobRow) -> list[str]:
    document = _read_document(tx, caller, job)
    tasks = document.get("tasks")
    items = cast(list[Any], tasks) if isinstance(tasks, list) else []
    named = [cast(dict[str, Any], item) for item in items if isinstance(item, dict) and "id" in item]
    return [str(item["id"]) for item in named]


def _read_document(tx: Transaction, caller: Caller, job: JobRow) -> dict[str, Any]:
    if job.config_data is not None:
        return msgspec.json.decode(job.config_data)
    there = msgspec.structs.replace(caller, branch_id=job.branch_id)
    return storage.read_configuration(tx, there, job.component, job.config or "").document


def _to_item(task_id: str, job: JobRow | None) -> dict[str, Any]:
    if not job:
        return {"taskId": task_id, "matched": False}
    known = {"jobId": str(job.id), "componentId": job.component, "configId": job.config, "status": job.status}
    given = {name: value for name, value in known.items() if value is not None}
    return {"taskId": task_id, "matched": True, **given}
