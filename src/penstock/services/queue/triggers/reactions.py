"""A table was loaded: the triggers that watch it are to be checked. So is one that was changed while it waits."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.queue.store import trigger_runs
from penstock.services.queue.triggers.causes import describe, list_causes
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import TableLoaded, TriggerChanged


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
