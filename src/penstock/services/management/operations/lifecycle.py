"""States of a project: disabled, deleted, restored, purged.

Each takes effect with the commit: tokens of the project are refused by every service and process.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.foundation import audit, clock
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.events import Event, publish
from penstock.services.management.models.events import ProjectDeleted, ProjectDisabled, ProjectPurged, ProjectRestored
from penstock.services.management.models.projects import Project
from penstock.services.management.store import projects as store
from penstock.services.management.store.removal import remove_of_project


class AlreadyDeleted(Invalid):
    def __init__(self, project_id: int) -> None:
        super().__init__(f"Project {project_id} was deleted already. Restore it first.")


class NotDeleted(Invalid):
    def __init__(self, project_id: int) -> None:
        super().__init__(f"Project {project_id} is not deleted. Only deleted projects can be restored or purged.")


class AlreadyPurged(Invalid):
    def __init__(self, project_id: int) -> None:
        super().__init__(f"Project {project_id} was purged: nothing of it is left to restore.")


def disable_project(
    tx: Transaction, caller: Identity, project: Project, reason: str | None, until: datetime | None
) -> Project:
    """Disable a project. Until it is enabled its jobs wait, and its schedules, triggers and notifications are not
    started. `until` is only told to users; nothing enables it by itself."""
    _check_present(project)
    values = {"is_disabled": True, "disable_reason": reason or None, "enabled_again": until}
    event = ProjectDisabled(project_id=project.id)
    return _change(tx, caller, project, "project.disabled", event, {"reason": reason}, **values)


def enable_project(tx: Transaction, caller: Identity, project: Project) -> Project:
    _check_present(project)
    values = {"is_disabled": False, "disable_reason": None, "enabled_again": None}
    return _change(tx, caller, project, "project.enabled", None, {}, **values)


def delete_project(tx: Transaction, caller: Identity, project: Project) -> Project:
    """Delete a project. Its jobs are terminated; everything else stays until it is restored or purged."""
    _check_present(project)
    event = ProjectDeleted(project_id=project.id)
    return _change(tx, caller, project, "project.deleted", event, {"name": project.name}, deleted=clock.now())


def restore_project(tx: Transaction, caller: Identity, project: Project) -> Project:
    _check_deleted(project)
    return _change(tx, caller, project, "project.restored", ProjectRestored(project_id=project.id), {}, deleted=None)


def purge_project(tx: Transaction, caller: Identity, project: Project) -> Project:
    """Remove everything of a deleted project, in every service. Only its record and its audit entries stay."""
    _check_deleted(project)
    remove_of_project(tx, project.id)
    return _change(tx, caller, project, "project.purged", ProjectPurged(project_id=project.id), {}, purged=clock.now())


def _check_present(project: Project) -> None:
    if project.deleted:
        raise AlreadyDeleted(project.id)


def _check_deleted(project: Project) -> None:
    if project.purged:
        raise AlreadyPurged(project.id)
    if not project.deleted:
        raise NotDeleted(project.id)


def _change(
    tx: Transaction,
    caller: Identity,
    project: Project,
    what: str,
    event: Event | None,
    details: dict[str, object],
    **values: object,
) -> Project:
    changed = msgspec.structs.replace(project, **values)
    store.change_project(tx, changed)
    entry = audit.NewEntry.of(caller, what, f"project {project.id}", **details)
    audit.record(tx, msgspec.structs.replace(entry, project_id=project.id))
    if event:
        publish(tx, event)
    return changed
