"""A table was loaded: the triggers that watch it are to be checked. So is one that was changed while it waits.

A trigger does not start a configuration that led to the load. So a job does not start itself again by what it writes,
and neither do two or more that write what the others watch, however many triggers are between them.
"""

from __future__ import annotations

from penstock.components.catalogue import find_component
from penstock.foundation import ids
from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.store import jobs, trigger_runs
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import TableLoaded, TriggerChanged

MAX_ANCESTORS = 100


def check_triggers(tx: Transaction, event: TableLoaded) -> None:
    """Add a check; the worker decides whether the job starts."""
    causes = list_causes(tx, event.project_id, event.run_id)
    for trigger_id in event.trigger_ids:
        trigger = storage.find_trigger(tx, event.project_id, trigger_id)
        if not trigger:
            continue
        if describe(trigger.component, trigger.configuration_id) in causes:
            add_event(tx, event.project_id, trigger, "info", f"A run of this configuration led to {event.table_id}.")
        else:
            trigger_runs.add_check(tx, event.project_id, trigger_id, causes)


def check_changed(tx: Transaction, event: TriggerChanged) -> None:
    trigger_runs.end_delay(tx, event.project_id, event.trigger_id)


def add_event(tx: Transaction, project_id: int, trigger: storage.Trigger, kind: str, reason: str) -> None:
    """Why a trigger did not start its job, in the events of the project."""
    caller = storage.service_caller(project_id, trigger.branch_id, trigger.token_id, f"Trigger {trigger.id}")
    event = storage.NewEvent(
        message=f"Trigger {trigger.id} did not start its configuration. {reason}",
        component=trigger.component,
        type=kind,
        configuration_id=trigger.configuration_id,
    )
    storage.add_events(tx, caller, [event])


REACTIONS = [
    on(TableLoaded, check_triggers, name="queue.checkTriggers"),
    on(TriggerChanged, check_changed, name="queue.checkChangedTrigger"),
]


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
