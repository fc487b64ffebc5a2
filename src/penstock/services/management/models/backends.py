"""The one backend and the one file storage of a stack, as clients of the Manage API know them.

Clients know the embedded engine as `snowflake`, and its files as Azure blobs, as Storage presents them.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import Names
from penstock.foundation.structs import Wire
from penstock.services.management.models.wire import Number, Ref

BACKEND, REGION, OWNER = "snowflake", "local", "penstock"
ONLY_ID = 1
"""The number of the one backend, and of the one file storage."""
PROVIDERS = {"abs": "azure", "s3": "aws", "gcs": "gcp"}
FileKind = Literal["abs", "s3", "gcs"]
OPERATOR = Ref(id=0, name="operator")


class BackendStats(Wire, frozen=True, kw_only=True):
    projects_count: int
    buckets_count: int
    data_size_gb: float = msgspec.field(name="dataSizeGB")
    rows_count: int


class BackendView(Wire, frozen=True, kw_only=True):
    id: int
    host: str
    backend: str
    region: str
    owner: str
    stats: BackendStats
    created: str
    creator: Ref
    is_active: bool = True


class FileStorageView(Wire, frozen=True, kw_only=True):
    """Generated clients get the one by default with a number and a boolean as text, and without what is unset then."""

    id: int | str
    owner: str
    is_default: bool | str
    account_name: str
    container_name: str
    region: str | UnsetType = UNSET
    provider: str | UnsetType = UNSET
    created: str | UnsetType = UNSET
    creator: Ref | UnsetType = UNSET


class BackendChoice(Wire, frozen=True, kw_only=True):
    storage_backend_id: Number
    """Id of the backend. The stack has one."""


class FileStorageChoice(Wire, frozen=True, kw_only=True):
    file_storage_id: Number
    """Id of the file storage. The stack has one."""


class AnySettings(Wire, frozen=True, kw_only=True):
    """Settings of a backend, which this stack does not take."""

    backend: str = ""
    """Kind of the backend. The stack has one, and no other is added."""


class Command(Wire, frozen=True, kw_only=True):
    command: str
    """Name of the command: `purge-deleted-project`."""
    parameters: Names[Any] = []
    """Arguments of the command: the id of the deleted project."""


class CommandStarted(Wire, frozen=True, kw_only=True):
    command_execution_id: str


class NewUiApp(Wire, frozen=True, kw_only=True):
    manifest_url: str
    """Address of the manifest. No user interface is added."""
    activate: bool = False
    """Whether it is used at once. No user interface is added."""


class UiApp(Wire, frozen=True, kw_only=True):
    id: str
    name: str
    version: str
