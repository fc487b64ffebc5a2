"""The variables of a flow, as values for the jobs of its tasks.

A job takes its values from one source, so what the flow has set is laid over the values that the task would have had.
Only names that the task's configuration declares are passed on.
"""

from __future__ import annotations

from typing import Any, cast

from penstock.foundation.errors import NotFound
from penstock.services.queue.flows.conditional.comparing import to_text
from penstock.services.queue.flows.tasks import JobTask
from penstock.services.queue.flows.work import Work
from penstock.services.queue.models.jobs import JobRow
from penstock.services.storage import interface as storage

COMPONENT = "keboola.variables"

Values = dict[str, Any]
Chosen = tuple[str | None, Values | None]
"""`variableValuesId` and `variableValuesData`, of which a job may have one."""


def find_values(work: Work, job_task: JobTask, flow: JobRow, variables: dict[str, str]) -> Chosen:
    laid_over = lay_over(job_task, work.open_values(flow), variables)
    own = _choose_own(job_task, flow)
    document = _read_document(work, job_task) if laid_over else {}
    variables_id = document.get("variables_id")
    if not variables_id:
        return own
    try:
        stored = storage.read_configuration(work.tx, work.caller, COMPONENT, str(variables_id))
    except NotFound:
        # The job says so itself, in the words of its own log.
        return own
    meant = keep_declared(laid_over, list_names(stored.document.get("variables")))
    if not meant:
        return own
    row_id = own[0] or document.get("variables_values_id")
    row = next((row for row in stored.rows if row.id == str(row_id)), None)
    before = own[1] or (work.open_variables(str(variables_id), row.document) if row else {})
    return None, merge(before, meant)


def lay_over(job_task: JobTask, values: Values, variables: dict[str, str]) -> dict[str, str]:
    """What the flow has set, as far as the task lets it, and over that what its job was given."""
    allowed = job_task.variable_overrides
    chosen = {name: value for name, value in variables.items() if not allowed or name in allowed}
    return {**chosen, **to_values(values)}


def keep_declared(values: dict[str, str], names: list[str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if name in names}


def merge(before: Values, after: dict[str, str]) -> Values:
    merged = {**to_values(before), **after}
    return {"values": [{"name": name, "value": value} for name, value in merged.items()]}


def to_values(data: Values) -> dict[str, str]:
    """Return values by name, of `{"values": [{"name", "value"}]}`."""
    return {str(item["name"]): to_text(item.get("value")) for item in _list_named(data.get("values"))}


def list_names(items: Any) -> list[str]:
    return [str(item["name"]) for item in _list_named(items)]


def _list_named(items: Any) -> list[dict[str, Any]]:
    found = cast(list[Any], items) if isinstance(items, list) else []
    return [cast(dict[str, Any], item) for item in found if isinstance(item, dict) and "name" in item]


def _choose_own(job_task: JobTask, flow: JobRow) -> Chosen:
    if to_values(job_task.variable_values_data) and not flow.variable_values_id:
        return None, job_task.variable_values_data
    chosen = flow.variable_values_id or job_task.variable_values_id
    return (str(chosen) if chosen else None), None


def _read_document(work: Work, job_task: JobTask) -> dict[str, Any]:
    if job_task.config_data is not None:
        return job_task.config_data
    return storage.read_configuration(work.tx, work.caller, job_task.component_id, str(job_task.config_id)).document
