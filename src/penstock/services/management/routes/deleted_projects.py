"""Deleted projects over HTTP: listed, restored and purged by super administrators."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.management.models.backends import CommandStarted
from penstock.services.management.models.project_views import DeletedProjectView, DeletedQuery
from penstock.services.management.operations import deleted_projects
from penstock.services.management.operations.groups import read_number
from penstock.services.management.operations.project_views import view_deleted
from penstock.services.management.ports import Storage
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

SUPER, HERE = Right.SUPER, "/manage/deleted-projects"


def routes(storage: Storage) -> list[Route]:
    one, shown = f"{HERE}/{{deleted_project_id}}", _Shown(storage)
    return [
        get(HERE, shown.list_deleted, needs=SUPER, title="List deleted projects"),
        get(one, shown.get_deleted, needs=SUPER, title="Get a deleted project"),
        delete(one, restore, needs=SUPER, status=204, title="Restore a deleted project"),
        post(f"{one}/purge", purge, needs=SUPER, title="Purge a deleted project"),
    ]


class _Shown:
    """Rows that ask Storage what projects hold."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def list_deleted(self, request: Request, query: DeletedQuery) -> list[DeletedProjectView]:
        with request.reading() as tx:
            return view_deleted(tx, self._storage, deleted_projects.list_deleted(tx, query))

    def get_deleted(self, request: Request, deleted_project_id: str) -> DeletedProjectView:
        with request.reading() as tx:
            found = deleted_projects.get_deleted(tx, deleted_project_id)
            return view_deleted(tx, self._storage, [found])[0]


def restore(request: Request, deleted_project_id: str) -> None:
    """Restore the project, with everything that it has."""
    with request.writing(project_id=_number(deleted_project_id)) as tx:
        deleted_projects.restore(tx, request.identity, deleted_project_id)


def purge(request: Request, deleted_project_id: str) -> CommandStarted:
    """Remove everything that the project has; it cannot be restored."""
    number = _number(deleted_project_id)
    with request.writing(project_id=number) as tx:
        deleted_projects.purge(tx, request.identity, deleted_project_id)
    return CommandStarted(command_execution_id=deleted_projects.execution_of(number))


def _number(value: str) -> int:
    return read_number("Deleted project", value)
