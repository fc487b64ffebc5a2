"""The one backend and the one file storage of a stack, with what they hold."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.services.management.errors import OnlyOne, ThingNotFound
from penstock.services.management.models.backends import (
    BACKEND,
    ONLY_ID,
    OPERATOR,
    OWNER,
    PROVIDERS,
    REGION,
    BackendStats,
    BackendView,
    FileKind,
    FileStorageView,
)
from penstock.services.management.models.projects import FIRST_ORGANIZATION
from penstock.services.management.models.wire import to_text
from penstock.services.management.operations.groups import get_organization
from penstock.services.management.ports import Storage
from penstock.services.management.store import projects

_GIGABYTE = 1000**3
OURS: FileKind = "abs"
"""Clients read and write files as those of Azure."""


def check_backend(backend_id: str | int) -> None:
    if str(backend_id) != str(ONLY_ID):
        raise ThingNotFound("Storage backend", backend_id)


def view_backend(tx: Transaction, storage: Storage, host: str) -> BackendView:
    numbers = [each.id for each in projects.list_projects(tx)]
    used = storage.measure(tx, numbers).values()
    stats = BackendStats(
        projects_count=len(numbers),
        buckets_count=sum(each.buckets for each in used),
        data_size_gb=sum(each.size_bytes for each in used) / _GIGABYTE,
        rows_count=sum(each.rows for each in used),
    )
    return BackendView(
        id=ONLY_ID,
        host=host,
        backend=BACKEND,
        region=REGION,
        owner=OWNER,
        stats=stats,
        created=_begin(tx),
        creator=OPERATOR,
    )


def list_file_storages(tx: Transaction, kind: FileKind) -> list[FileStorageView]:
    return [_view_files(tx)] if kind == OURS else []


def get_file_storage(tx: Transaction, kind: FileKind, text: str) -> FileStorageView:
    if kind != OURS:
        raise ThingNotFound("File storage", text)
    check_file_storage(text)
    return _view_files(tx)


def view_default(tx: Transaction, kind: FileKind, text: str, *, is_strict: bool) -> FileStorageView:
    """`is_strict` is for generated clients."""
    view = get_file_storage(tx, kind, text)
    if not is_strict:
        return view
    return FileStorageView(
        id=str(view.id),
        owner=view.owner,
        is_default="true",
        account_name=view.account_name,
        container_name=view.container_name,
    )


def check_file_storage(text: str | int) -> None:
    if str(text) != str(ONLY_ID):
        raise ThingNotFound("File storage", text)


def one_backend() -> OnlyOne:
    return OnlyOne("storage backend")


def one_file_storage() -> OnlyOne:
    return OnlyOne("file storage")


def _view_files(tx: Transaction) -> FileStorageView:
    return FileStorageView(
        id=ONLY_ID,
        region=REGION,
        provider=PROVIDERS[OURS],
        owner=OWNER,
        is_default=True,
        account_name="penstock",
        container_name="files",
        created=_begin(tx),
        creator=OPERATOR,
    )


def _begin(tx: Transaction) -> str:
    """Both have been there since the stack was made, and so has its first organization."""
    return to_text(get_organization(tx, FIRST_ORGANIZATION).created)
