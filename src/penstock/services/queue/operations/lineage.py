"""What a job read and wrote, as events of OpenLineage: one when it began, one when it ended."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.results import Result, TableRef
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.models.views import to_text

_ENDINGS = {Status.ERROR: "FAIL", Status.TERMINATED: "ABORT", Status.CANCELLED: "ABORT"}
_FACETS = "https://openlineage.io/spec/facets/1-0-0"
_EVENT = "https://openlineage.io/spec/1-0-5/OpenLineage.json#/definitions/RunEvent"


def list_events(job: JobRow, producer: str, host: str) -> list[dict[str, Any]]:
    """List the events that have happened; `producer` is the address of the stack, `host` its name in namespaces."""
    namespace, result = f"{host}/project/{job.project_id}", _read_result(job)
    shared = {
        "run": _run(job, producer, namespace),
        "job": {"namespace": namespace, "name": f"{job.component}-{job.config or job.id}"},
        "producer": producer,
        "schemaURL": _EVENT,
    }
    inputs = [_dataset(table, producer, namespace) for table in result.input.tables]
    outputs = [_dataset(table, producer, namespace) for table in result.output.tables]
    events: list[dict[str, Any]] = []
    if job.start_time:
        events.append({"eventType": "START", "eventTime": to_text(job.start_time), **shared, "inputs": inputs})
    if job.end_time and job.is_finished:
        kind = _ENDINGS.get(job.status, "COMPLETE")
        events.append({"eventType": kind, "eventTime": to_text(job.end_time), **shared, "outputs": outputs})
    return events


def _read_result(job: JobRow) -> Result:
    try:
        return msgspec.json.decode(job.result, type=Result)
    except msgspec.ValidationError:
        # A job that has not ended has none.
        return Result(message="")


def _run(job: JobRow, producer: str, namespace: str) -> dict[str, Any]:
    run: dict[str, Any] = {"runId": _uuid(producer, job.id)}
    if job.parent_id is not None:
        parent = {"run": {"runId": _uuid(producer, job.parent_id)}, "job": _parent_job(job, namespace)}
        run["facets"] = {"parent": {**_facet(producer, "ParentRunFacet"), **parent}}
    return run


def _parent_job(job: JobRow, namespace: str) -> dict[str, str]:
    return {"namespace": namespace, "name": str(job.parent_id)}


def _dataset(table: TableRef, producer: str, namespace: str) -> dict[str, Any]:
    fields = [{"name": column["name"]} for column in table.columns if "name" in column]
    facets = {"schema": {**_facet(producer, "SchemaDatasetFacet"), "fields": fields}}
    return {"namespace": namespace, "name": table.id, "facets": facets}


def _facet(producer: str, name: str) -> dict[str, str]:
    return {"_producer": producer, "_schemaURL": f"{_FACETS}/{name}.json"}


def _uuid(producer: str, job_id: int) -> str:
    """Always the same for the same job."""
    return str(uuid5(NAMESPACE_URL, f"{producer}/jobs/{job_id}"))
