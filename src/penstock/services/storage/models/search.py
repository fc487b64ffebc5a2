"""Search by name over a whole project, and for tables by their metadata."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import Searched
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number
from penstock.services.storage.models.buckets import ProjectRef

BUCKET, TABLE, WORKSPACE, ROW = "bucket", "table", "workspace", "configuration-row"
CONFIGURATION, FLOW, TRANSFORMATION, SHARED_CODE = "configuration", "flow", "transformation", "shared-code"
TYPES = (BUCKET, TABLE, CONFIGURATION, ROW, FLOW, TRANSFORMATION, SHARED_CODE, WORKSPACE)
OTHER_TYPES = ("rows", "state")
"""Types that clients may send, of which this stack has nothing."""
PRODUCTION, DEVELOPMENT = "production", "development"


class GlobalSearchQuery(Wire, frozen=True):
    """Which objects to find: each word of `query` occurs in the name, regardless of case."""

    query: str = ""
    """Words that have to be in the name of the object, regardless of case: at most 10, with 255 characters together.
    Required."""
    limit: Number = 50
    """The highest number of objects to return, at most 500."""
    offset: Number = 0
    types: Searched[str] = []
    """Only objects of these types: `bucket`, `table`, `configuration`, `configuration-row`, `flow`, `transformation`,
    `shared-code` or `workspace`."""
    project_ids: Searched[Number] = []
    """Only these projects. A token finds nothing outside its own."""
    branch_ids: Searched[Number] = []
    """Only these branches."""
    branch_types: Searched[str] = []
    """Only branches of these types: `production` is Main, `development` are all others."""


class TableSearchQuery(Wire, frozen=True):
    """Which metadata the tables have; one item matches all that is given."""

    metadata_key: str = ""
    """Key of an entry that the tables have."""
    metadata_value: str | None = None
    """Value of the same entry."""
    metadata_provider: str = ""
    """Provider of the same entry."""
    include: str | None = None
    """Comma-separated parts of the tables to return as well: `columns`, `metadata`, `columnMetadata`, `buckets` and
    `definition`."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """An object that was found, as stored."""

    type: str
    id: str
    name: str
    branch_id: int
    created: datetime
    component_id: str | None
    config_id: str | None
    config_name: str | None
    bucket_id: str | None
    bucket_name: str | None


class BranchRef(Wire, frozen=True):
    id: int
    name: str
    is_default: bool
    is_native: bool
    """Whether the branch has buckets and tables of its own."""


class NameRef(Wire, frozen=True):
    id: str
    name: str


class FullPath(Wire, frozen=True):
    """What contains an object, from the project down."""

    project: ProjectRef
    branch: BranchRef
    component: NameRef | UnsetType = UNSET
    configuration: NameRef | UnsetType = UNSET
    bucket: NameRef | UnsetType = UNSET


class SearchItem(Wire, frozen=True):
    id: str
    name: str
    type: str
    full_path: FullPath
    component_id: str | None
    organization_id: int
    project_id: int
    project_name: str
    created: str
    uri: str


class SearchResult(Wire, frozen=True):
    """One page of the objects that were found, and how many there are in all."""

    all: int
    items: list[SearchItem]
    by_type: dict[str, int]
    by_project: dict[str, str]
