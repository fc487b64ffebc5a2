"""Projects over HTTP: what they are, their features, limits, metadata, credits and tokens."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.management.models.backends import BackendChoice, FileStorageChoice
from penstock.services.management.models.features import EntryView, FeatureRef, NewEntries, entry_view
from penstock.services.management.models.project_views import (
    CreditsView,
    Disabling,
    Move,
    NewCredits,
    NewLimits,
    ProjectChange,
    ProjectView,
)
from penstock.services.management.models.projects import Project
from penstock.services.management.models.tokens import NewStorageToken
from penstock.services.management.operations import backends, features, lifecycle, metadata, projects
from penstock.services.management.operations.groups import read_number
from penstock.services.management.operations.project_views import view_projects
from penstock.services.management.ports import Storage
from penstock.services.management.store import metadata as metadata_store
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

READ, MANAGE, SUPER = Right.READ_PROJECT, Right.MANAGE_PROJECT, Right.SUPER
LEVEL = "project"


def routes(storage: Storage) -> list[Route]:
    one, shown = "/manage/projects/{project_id}", _Shown(storage)
    return [
        get(one, shown.get_project, needs=READ),
        put(one, shown.change_project, needs=MANAGE),
        delete(one, delete_project, needs=MANAGE, status=204),
        post(f"{one}/features", shown.add_feature, needs=MANAGE, status=201, title="Add a feature to a project"),
        delete(
            f"{one}/features/{{feature}}",
            remove_feature,
            needs=MANAGE,
            status=204,
            title="Remove a feature of a project",
        ),
        post(f"{one}/limits", shown.set_limits, needs=SUPER, title="Set limits of a project"),
        delete(
            f"{one}/limits/{{limit}}",
            remove_limit,
            needs=SUPER,
            status=204,
            describes={"limit": "Name of the limit, such as `storage.jobsParallelism`."},
            title="Remove a limit of a project",
        ),
        get(f"{one}/metadata", list_metadata, needs=READ, title="List metadata of a project"),
        post(f"{one}/metadata", put_metadata, needs=MANAGE, status=201, title="Set metadata of a project"),
        delete(
            f"{one}/metadata/{{metadata_id}}",
            remove_metadata,
            needs=MANAGE,
            status=204,
            title="Remove metadata of a project",
        ),
        post(f"{one}/disabled", shown.set_disabled, needs=SUPER, title="Disable or enable a project"),
        post(f"{one}/organizations", shown.move_project, needs=MANAGE, title="Move a project to another organization"),
        post(
            f"{one}/storage-backend", shown.assign_backend, needs=SUPER, title="Assign a storage backend to a project"
        ),
        delete(
            f"{one}/storage-backend/{{backend_id}}",
            remove_backend,
            needs=SUPER,
            status=204,
            title="Remove the storage backend of a project",
        ),
        post(f"{one}/file-storage", shown.assign_file_storage, needs=SUPER, title="Assign a file storage to a project"),
        post(f"{one}/credits", add_credits, needs=SUPER, status=201, title="Add credits to a project"),
        post(
            f"{one}/tokens", shown.create_token, needs=MANAGE, status=201, title="Create a Storage token of a project"
        ),
    ]


class _Shown:
    """Rows that ask Storage what a project holds, or for a token."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def _view(self, tx: Transaction, request: Request, project: Project) -> ProjectView:
        return view_projects(tx, self._storage, request.addresses.host_of(STORAGE), [project])[0]

    def get_project(self, request: Request, project_id: str) -> ProjectView:
        with request.reading() as tx:
            return self._view(tx, request, projects.get_project(tx, int(project_id)))

    def change_project(self, request: Request, project_id: str, body: ProjectChange) -> ProjectView:
        """Update the given fields."""
        number = int(project_id)
        with request.writing(project_id=number) as tx:
            return self._view(tx, request, projects.change_project(tx, request.identity, number, body))

    def add_feature(self, request: Request, project_id: str, body: FeatureRef) -> ProjectView:
        number = int(project_id)
        with request.writing(project_id=number) as tx:
            project = projects.get_project(tx, number)
            changed = features.set_of_project(tx, request.identity, project, body.feature, is_on=True)
            return self._view(tx, request, changed)

    def set_limits(self, request: Request, project_id: str, body: NewLimits) -> ProjectView:
        """Set the given limits; others stay."""
        number = _number(project_id)
        with request.writing(project_id=number) as tx:
            return self._view(tx, request, projects.set_limits(tx, request.identity, number, body.limits))

    def set_disabled(self, request: Request, project_id: str, body: Disabling) -> ProjectView:
        """Disable a project, or enable it again."""
        number = _number(project_id)
        with request.writing(project_id=number) as tx:
            return self._view(tx, request, projects.set_disabled(tx, request.identity, number, body))

    def move_project(self, request: Request, project_id: str, body: Move) -> ProjectView:
        """Move a project to another organization. Links to buckets of projects that it no longer belongs with are
        removed."""
        number = int(project_id)
        with request.writing(across_projects=True) as tx:
            moved = projects.move_project(tx, self._storage, request.identity, number, body.organization_id)
            return self._view(tx, request, moved)

    def assign_backend(self, request: Request, project_id: str, body: BackendChoice) -> ProjectView:
        """Every project has the one backend of the stack."""
        with request.reading() as tx:
            project = projects.get_project(tx, _number(project_id))
            backends.check_backend(body.storage_backend_id)
            return self._view(tx, request, project)

    def assign_file_storage(self, request: Request, project_id: str, body: FileStorageChoice) -> ProjectView:
        """Every project has the one file storage of the stack."""
        with request.reading() as tx:
            project = projects.get_project(tx, _number(project_id))
            backends.check_file_storage(body.file_storage_id)
            return self._view(tx, request, project)

    def create_token(self, request: Request, project_id: str, body: NewStorageToken) -> dict[str, Any]:
        """Create a Storage token of the project; its text is in this response only."""
        number = int(project_id)
        with request.writing(project_id=number) as tx:
            projects.get_project(tx, number)
            made = self._storage.create_token(tx, request.identity, number, body)
        return {**made, "uri": f"{request.addresses.url_of(STORAGE)}{made['uri']}"}


def _number(project_id: str) -> int:
    return read_number("Project", project_id)


def delete_project(request: Request, project_id: str) -> None:
    """Delete a project. It can be restored until it is purged."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        lifecycle.delete_project(tx, request.identity, projects.get_project(tx, number))


def remove_feature(request: Request, project_id: str, feature: str) -> None:
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        project = projects.get_project(tx, number)
        features.set_of_project(tx, request.identity, project, feature, is_on=False)


def remove_limit(request: Request, project_id: str, limit: str) -> None:
    number = _number(project_id)
    with request.writing(project_id=number) as tx:
        projects.remove_limit(tx, request.identity, number, limit)


def list_metadata(request: Request, project_id: str) -> list[EntryView]:
    with request.reading() as tx:
        return [entry_view(row) for row in metadata_store.list_entries(tx, LEVEL, int(project_id))]


def put_metadata(request: Request, project_id: str, body: NewEntries) -> list[EntryView]:
    """Set keys; returns all of them."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        return [entry_view(row) for row in metadata.put_entries(tx, request.identity, LEVEL, number, body)]


def remove_metadata(request: Request, project_id: str, metadata_id: str) -> None:
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        metadata.remove_entry(tx, request.identity, LEVEL, number, metadata_id)


def remove_backend(request: Request, project_id: str, backend_id: str) -> None:
    """Refused: it is the only one."""
    with request.reading() as tx:
        projects.get_project(tx, _number(project_id))
    backends.check_backend(backend_id)
    raise backends.one_backend()


def add_credits(request: Request, project_id: str, body: NewCredits) -> CreditsView:
    """Add credits to a project that pays as it goes; a negative amount takes some back."""
    number = _number(project_id)
    with request.writing(project_id=number) as tx:
        return projects.add_credits(tx, request.identity, number, body)
