"""Scheduler's reactions to events of other services."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.management.interface import ProjectPurged
from penstock.services.scheduler import operations, store
from penstock.services.scheduler.models import COMPONENT
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import ConfigurationDeleted


def end_schedule(tx: Transaction, event: ConfigurationDeleted) -> None:
    """Unless the configuration was restored or created again meanwhile."""
    if event.component_id != COMPONENT:
        return
    row = store.find_of_configuration(tx, event.project_id, event.configuration_id)
    where = (event.project_id, event.branch_id, event.component_id, event.configuration_id)
    if row and row.branch_id == event.branch_id and not storage.has_configuration(tx, *where):
        operations.remove(tx, row, operations.service_caller(row))


def remove_schedules(tx: Transaction, event: ProjectPurged) -> None:
    store.remove_of_project(tx, event.project_id)


REACTIONS = [
    on(ConfigurationDeleted, end_schedule, name="scheduler.endSchedule"),
    on(ProjectPurged, remove_schedules, name="scheduler.removeSchedules"),
]
