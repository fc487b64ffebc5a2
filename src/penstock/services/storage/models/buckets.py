"""Buckets as stored and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, to_text
from penstock.services.storage.models.metadata import Metadata


class BucketRow(msgspec.Struct, frozen=True, kw_only=True):
    """A bucket as stored. `number` names its folder in the lake: names never become paths."""

    project_id: int
    branch_id: int
    id: str
    number: int
    stage: str
    name: str
    display_name: str
    description: str
    created: datetime
    changed: datetime | None = None
    rows_count: int = 0
    data_size_bytes: int = 0
    color: str | None = None
    sharing: str | None = None
    """Who may link the bucket: one of SHARINGS, or None."""
    shared_with: list[int] = []
    """The projects that may link it, if sharing is limited to some."""
    source_project_id: int | None = None
    source_bucket_id: str | None = None
    """Of a linked bucket: its source."""

    @property
    def is_linked(self) -> bool:
        return self.source_bucket_id is not None


class NewBucket(Wire, frozen=True):
    """A bucket to create, or with a source to link."""

    name: str = ""
    """Name of the bucket without its stage, letters, digits, `-` and `_`, at most 94 characters, the first not `_`. The
    prefix `c-` is added to it."""
    stage: str = "in"
    """`in` for data that is loaded, `out` for data that is computed."""
    description: str = ""
    """What the bucket is for."""
    display_name: str = ""
    """Name that people see, unique in the branch. Without it, it is the name without `c-`."""
    backend: str = ""
    """`snowflake`, or empty: the engine of the stack is presented by this name."""
    color: str | None = None
    """Color of the bucket in user interfaces, such as `#FF8800`."""
    source_project_id: Number | None = None
    """Id of the project that shares the bucket to link. Together with `sourceBucketId`."""
    source_bucket_id: str = ""
    """Id of the shared bucket to link, in its own project. Without it, a new bucket is created."""


class BucketChange(Wire, frozen=True):
    """Fields that are not set stay unchanged."""

    display_name: str | None = None
    """New name that people see, unique in the branch. The id stays."""
    description: str | None = None
    """New description."""
    color: str | None = None
    """New color in user interfaces, such as `#FF8800`."""


class ProjectRef(msgspec.Struct, frozen=True):
    id: int
    name: str


class SourceBucket(Wire, frozen=True):
    id: str
    """Id of the bucket in its own project."""
    name: str
    """Name of the bucket."""
    description: str
    """What the bucket is for."""
    project: ProjectRef
    """The project that shares it."""


class BucketLink(Wire, frozen=True):
    """A link to a shared bucket in another project."""

    id: str
    """Id of the link in its own project."""
    created: str
    """When the link was created."""
    project: ProjectRef
    """The project that has the link."""


class Bucket(Wire, frozen=True):
    uri: str
    """Address of the bucket."""
    id: str
    """Id of the bucket: its stage, a dot, and its name, such as `in.c-shop`."""
    name: str
    """Name of the bucket with its prefix `c-`."""
    display_name: str
    """Name that people see."""
    stage: str
    """`in` or `out`."""
    description: str
    """What the bucket is for."""
    created: str
    """When the bucket was created."""
    updated: str
    """When the bucket or one of its tables was changed."""
    last_change_date: str | None
    """When one of its tables was changed."""
    rows_count: int
    """Rows of all its tables."""
    data_size_bytes: int
    """Bytes of all its tables."""
    id_branch: int
    """Id of the branch that it belongs to."""
    path: str
    """Its schema in SQL."""
    backend_path: list[str]
    """Its database and schema in SQL."""
    tables: Any
    """Its tables or, in a list, their address."""
    backend: str = "snowflake"
    """`snowflake`, as which the engine of the stack presents itself."""
    is_read_only: bool = False
    """Whether nothing is written into it, since it is a link."""
    is_maintenance: bool = False
    is_linked_bucket: bool = False
    """Whether it is a link to a bucket of another project."""
    has_external_schema: bool = False
    is_snowflake_shared_database: bool = False
    database_name: str | None = None
    sharing: str | None = None
    """Who may link the bucket: `organization`, `organization-project` or `specific-projects`. Null: it is not
    shared."""
    sharing_parameters: Any = []
    """The projects that may link it, if it is shared with some."""
    bucket_sharing_allowed: bool = False
    """Whether the bucket can be shared."""
    owner: str | None = None
    color: str | None = None
    """Color in user interfaces."""
    attributes: list[Any] = []
    metadata: list[Metadata] | UnsetType = UNSET
    """Its metadata."""
    source_bucket: SourceBucket | UnsetType = UNSET
    """The bucket that it is a link to."""
    linked_by: list[BucketLink] | UnsetType = UNSET
    """Links to it in other projects."""


class BucketFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is returned for a bucket besides its row; UNSET fields are left out."""

    tables: Any = UNSET
    """Tables in a detail; if left out, the address of the list is returned instead."""
    metadata: list[Metadata] | UnsetType = UNSET
    source: SourceBucket | UnsetType = UNSET
    linked_by: list[BucketLink] | UnsetType = UNSET
    is_in_branch: bool = False
    """Whether it is in the separate storage of a development branch."""


NO_FACTS = BucketFacts()


def branch_prefix(branch_id: int) -> str:
    """Return the prefix of the schemas of a branch with its own storage: they differ from those of Main's buckets with
    the same ids."""
    return f"{branch_id}_"


def bucket_view(row: BucketRow, storage_url: str, facts: BucketFacts = NO_FACTS) -> Bucket:
    uri = f"{storage_url}/v2/storage/buckets/{row.id}"
    home, schema = row.source_project_id or row.project_id, row.source_bucket_id or row.id
    if facts.is_in_branch:
        schema = branch_prefix(row.branch_id) + schema
    return Bucket(
        uri=uri,
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        stage=row.stage,
        description=row.description,
        created=to_text(row.created),
        updated=to_text(row.changed or row.created),
        last_change_date=to_text(row.changed) if row.changed else None,
        rows_count=row.rows_count,
        data_size_bytes=row.data_size_bytes,
        id_branch=row.branch_id,
        path=schema,
        backend_path=[f"KBC_{home}", schema],
        tables=f"{uri}/tables" if facts.tables is UNSET else facts.tables,
        is_read_only=row.is_linked,
        is_linked_bucket=row.is_linked,
        sharing=row.sharing,
        sharing_parameters={"projects": row.shared_with} if row.shared_with else [],
        bucket_sharing_allowed=not (row.is_linked or facts.is_in_branch),
        color=row.color,
        metadata=facts.metadata,
        source_bucket=facts.source,
        linked_by=facts.linked_by,
    )
