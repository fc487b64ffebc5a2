"""What the stack has to know of Scheduler."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.management.interface import ProjectPurged
from penstock.services.scheduler import operations, store
from penstock.services.scheduler.models import COMPONENT
from penstock.services.scheduler.routes import routes
from penstock.services.scheduler.worker import Worker
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import ConfigurationDeleted, authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="scheduler",
        name="Scheduler API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        workers=[lambda context: Worker(context.stack)],
        reactions=REACTIONS,
        migrations=Path(__file__).parent / "migrations",
    )


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
