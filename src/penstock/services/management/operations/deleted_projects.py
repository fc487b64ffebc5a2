"""Projects that were deleted: they can be restored until they are purged."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.errors import ThingNotFound
from penstock.services.management.models.project_views import DeletedQuery
from penstock.services.management.models.projects import Project
from penstock.services.management.operations import lifecycle
from penstock.services.management.store import projects as store

PURGE = "purge-deleted-project"
"""The command that does the same as the row."""


def list_deleted(tx: Transaction, query: DeletedQuery) -> list[Project]:
    found = [each for each in store.list_deleted(tx, query.organization_id) if query.name in each.name]
    return found[query.offset : query.offset + query.limit]


def get_deleted(tx: Transaction, text: str) -> Project:
    number = ids.read_id(text)
    found = store.find_project(tx, number) if number is not None else None
    if not found or not found.deleted:
        raise ThingNotFound("Deleted project", text)
    return found


def restore(tx: Transaction, caller: AnyCaller, text: str) -> None:
    lifecycle.restore_project(tx, caller, _get_unpurged(tx, text))


def purge(tx: Transaction, caller: AnyCaller, text: str) -> None:
    lifecycle.purge_project(tx, caller, _get_unpurged(tx, text))


def _get_unpurged(tx: Transaction, text: str) -> Project:
    found = get_deleted(tx, text)
    if found.purged:
        raise Invalid(f"Project {found.id} has been purged: nothing of it is left.")
    return found


def execution_of(project_id: int) -> str:
    """The id of a purge: a project is purged once."""
    return f"{PURGE}-{project_id}"
