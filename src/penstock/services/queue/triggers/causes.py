"""What led to the load of a table: the configurations of the job that did it, of the flows that it is a part of, and
of the jobs whose loads have started these.

A trigger does not start a configuration that led to the load. So a job does not start itself again by what it writes,
and neither do two or more that write what the others watch, however many triggers are between them.
"""

from __future__ import annotations

from penstock.components.catalogue import find_component
from penstock.foundation import ids
from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.store import jobs, trigger_runs

MAX_ANCESTORS = 100


def list_causes(tx: Transaction, project_id: int, run_id: str | None) -> set[str]:
    """Empty for a load that no job has done."""
    job = _find_job(tx, project_id, run_id)
    if not job:
        return set()
    family = jobs.list_jobs(tx, project_id, _list_ids(job.run_id))
    own = {describe(each.component, each.config) for each in family if each.config is not None}
    return own | trigger_runs.list_causes(tx, project_id, [each.id for each in family])


def describe(component_id: str, config: str | None) -> str:
    """A trigger may name its component by an alias."""
    component = find_component(component_id)
    return f"{component.id if component else component_id}/{config}"


def _find_job(tx: Transaction, project_id: int, run_id: str | None) -> JobRow | None:
    """The job of a run id, which ends with the number of the job."""
    found = _list_ids(run_id or "")
    return jobs.find_job(tx, project_id, found[-1]) if found else None


def _list_ids(run_id: str) -> list[int]:
    numbers = [ids.read_id(part) for part in run_id.split(".")[-MAX_ANCESTORS:]]
    return [number for number in numbers if number is not None]
