"""Changes of a project, as the Manage API makes them, and what follows from them in other services."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.app import list_reactions
from penstock.foundation.callers import SignedIn
from penstock.foundation.events import EventWorker
from penstock.services.management import interface as management
from penstock.services.management.operations import lifecycle
from penstock.services.management.store.projects import change_project
from penstock.services.storage.purging import PurgeWorker
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project

OPERATOR = SignedIn(scheme="manage token", project_id=0, token_id=7, description="the operator", subject="operator")


def disable(services: ServicesOnly, project: Project, reason: str = "unpaid", until: datetime | None = None) -> None:
    with services.stack.database.writing() as tx:
        lifecycle.disable_project(tx, OPERATOR, management.get_project(tx, project.caller.project_id), reason, until)


def change(services: ServicesOnly, project: Project, operation: str) -> None:
    """`enable`, `delete`, `restore` or `purge`."""
    with services.stack.database.writing() as tx:
        known = management.get_project(tx, project.caller.project_id)
        getattr(lifecycle, f"{operation}_project")(tx, OPERATOR, known)


def set_fields(services: ServicesOnly, project: Project, **fields: Any) -> None:
    with services.stack.database.writing() as tx:
        known = management.get_project(tx, project.caller.project_id)
        change_project(tx, msgspec.structs.replace(known, **fields))


def deliver(services: ServicesOnly) -> None:
    worker = EventWorker(services.stack.database, "w", list_reactions())
    while worker.run_one():
        pass


def finish_purges(services: ServicesOnly) -> None:
    deliver(services)
    worker = PurgeWorker(services.stack, "w")
    while worker.run_one():
        pass
