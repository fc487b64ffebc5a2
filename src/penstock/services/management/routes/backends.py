"""The backend and the file storage of the stack over HTTP. There is one of each; requests to add others are refused."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.management.models.backends import AnySettings, BackendView, FileKind, FileStorageView
from penstock.services.management.operations import backends
from penstock.services.management.ports import Storage
from penstock.services.management.routes.clients import is_strict
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

HERE, SUPER = "/manage/storage-backend", Right.SUPER
KINDS: tuple[FileKind, ...] = ("s3", "abs", "gcs")


def routes(storage: Storage) -> list[Route]:
    one, shown = f"{HERE}/{{backend_id}}", _Shown(storage)
    return [
        get(HERE, shown.list_backends, needs=SUPER, title="List storage backends"),
        post(HERE, create_backend, needs=SUPER, status=201, title="Create a storage backend"),
        post(f"{HERE}/snowflake", create_backend, needs=SUPER, status=201, title="Create a storage backend"),
        post(f"{HERE}/bigquery", create_backend, needs=SUPER, status=201, title="Create a storage backend"),
        patch(f"{HERE}/bigquery/{{backend_id}}", change_backend, needs=SUPER, title="Change a storage backend"),
        get(one, shown.get_backend, needs=SUPER, title="Get a storage backend"),
        patch(one, change_backend, needs=SUPER, title="Change a storage backend"),
        patch(f"{one}/bigquery", change_backend, needs=SUPER, title="Change a storage backend"),
        delete(one, remove_backend, needs=SUPER, status=204, title="Remove a storage backend"),
        post(f"{one}/activate", shown.activate_backend, needs=SUPER, title="Activate a storage backend"),
        *(row for kind in KINDS for row in _of_files(kind)),
    ]


class _Shown:
    """Rows that ask Storage what the backend holds."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def list_backends(self, request: Request) -> list[BackendView]:
        """The one backend of the stack, with what it holds."""
        with request.reading() as tx:
            return [backends.view_backend(tx, self._storage, request.addresses.host_of(STORAGE))]

    def get_backend(self, request: Request, backend_id: str) -> BackendView | list[BackendView]:
        """The one backend; generated clients expect a list of it."""
        backends.check_backend(backend_id)
        found = self.list_backends(request)
        return found if is_strict(request) else found[0]

    def activate_backend(self, request: Request, backend_id: str) -> BackendView:
        """The one backend is always active."""
        backends.check_backend(backend_id)
        return self.list_backends(request)[0]


def create_backend(request: Request, body: AnySettings) -> BackendView:  # noqa: ARG001
    """Refused: the stack has one."""
    raise backends.one_backend()


def change_backend(request: Request, backend_id: str, body: AnySettings) -> BackendView:  # noqa: ARG001
    """Refused: the stack has one, which comes with it."""
    backends.check_backend(backend_id)
    raise backends.one_backend()


def remove_backend(request: Request, backend_id: str) -> None:  # noqa: ARG001
    """Refused: the stack has one."""
    backends.check_backend(backend_id)
    raise backends.one_backend()


def _of_files(kind: FileKind) -> Iterator[Route]:
    def list_storages(request: Request) -> list[FileStorageView]:
        """The one file storage of the stack is among those of its kind."""
        with request.reading() as tx:
            return backends.list_file_storages(tx, kind)

    def create_storage(request: Request, body: AnySettings) -> FileStorageView:  # noqa: ARG001
        """Refused: the stack has one."""
        raise backends.one_file_storage()

    def make_default(request: Request, file_storage_id: str) -> FileStorageView:
        """The one file storage, of the kind `abs`, is always the default. Refused for other kinds."""
        with request.reading() as tx:
            return backends.view_default(tx, kind, file_storage_id, is_strict=is_strict(request))

    def change_credentials(request: Request, file_storage_id: str, body: AnySettings) -> FileStorageView:  # noqa: ARG001
        """Refused: the one file storage of the stack, of the kind `abs`, needs none."""
        with request.reading() as tx:
            backends.get_file_storage(tx, kind, file_storage_id)
        raise backends.one_file_storage()

    here = f"/manage/file-storage-{kind}"
    yield get(here, list_storages, needs=SUPER, title="List file storages")
    yield post(here, create_storage, needs=SUPER, status=201, title="Create a file storage")
    yield post(
        f"{here}/{{file_storage_id}}/default", make_default, needs=SUPER, title="Make a file storage the default one"
    )
    yield post(
        f"{here}/{{file_storage_id}}/credentials",
        change_credentials,
        needs=SUPER,
        title="Change credentials of a file storage",
    )
