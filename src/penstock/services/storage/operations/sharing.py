"""Buckets shared between the projects of an organization."""

from __future__ import annotations

import msgspec

from penstock.foundation import audit
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.storage.errors.buckets import (
    AlreadyLinked,
    BucketNotFound,
    BucketNotShared,
    ForeignProjects,
    InvalidBucket,
    LinkedBucket,
    SharedInBranch,
)
from penstock.services.storage.models.buckets import BucketRow, NewBucket, ProjectRef
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.operations import metadata
from penstock.services.storage.operations.buckets import check_may_write, create_bucket, get_bucket, owner_of
from penstock.services.storage.store import buckets, tables

SHARINGS = ("organization", "organization-project", "specific-projects")


def list_shared_buckets(tx: Transaction, caller: Caller) -> list[BucketRow]:
    """Buckets of other projects that this one may link."""
    mine = caller.project_id
    return [row for row in buckets.list_shared(tx, mine) if row.project_id != mine and _may_link(mine, row)]


def project_of(tx: Transaction, project_id: int) -> ProjectRef:
    return ProjectRef(project_id, management.get_project(tx, project_id).name)


def share_bucket(tx: Transaction, caller: Caller, bucket_id: str, sharing: str, projects: list[int]) -> BucketRow:
    row = _get_shareable(tx, caller, bucket_id)
    if row.is_linked:
        raise LinkedBucket
    if sharing not in SHARINGS:
        raise InvalidBucket(f'"{sharing}" is not a valid sharing type; use one of {", ".join(SHARINGS)}.')
    known = management.list_ids_beside(tx, caller.project_id, projects)
    if unknown := [each for each in projects if each not in known]:
        raise ForeignProjects(unknown)
    buckets.change_bucket(tx, row, sharing=sharing, shared_with=projects)
    _record(tx, caller, "bucket.shared", row.id, sharing=sharing, projects=projects)
    _cut_links(tx, msgspec.structs.replace(row, sharing=sharing, shared_with=projects))
    return msgspec.structs.replace(row, sharing=sharing, shared_with=projects)


def _cut_links(tx: Transaction, row: BucketRow) -> None:
    """Remove the links of projects that may no longer link the bucket, so that they cannot read it any more."""
    for link in buckets.list_links(tx, row):
        if not _may_link(link.project_id, row):
            _remove_link(tx, link)


def unshare_bucket(tx: Transaction, caller: Caller, bucket_id: str) -> None:
    row = _get_shareable(tx, caller, bucket_id)
    links = buckets.list_links(tx, row)
    if links:
        raise InvalidBucket(
            f'The bucket "{bucket_id}" is linked in {len(links)} projects. Unlink it there first, or with '
            "DELETE buckets/{id}/links/{projectId}."
        )
    buckets.change_bucket(tx, row, sharing=None, shared_with=[])
    _record(tx, caller, "bucket.unshared", row.id)


def link_bucket(tx: Transaction, caller: Caller, new_bucket: NewBucket) -> BucketRow:
    """Link a bucket of another project into this one."""
    _check_is_main(caller)
    source_id, project_id = new_bucket.source_bucket_id, new_bucket.source_project_id or 0
    mine, source = caller.project_id, buckets.find_shared(tx, project_id, source_id, caller.project_id)
    if not source or source.sharing is None or not _may_link(mine, source) or project_id == mine:
        # The same error whether it does not exist or is not shared: the caller must not learn which.
        raise BucketNotShared(source_id, project_id)
    if any(link.project_id == mine for link in buckets.list_links(tx, source)):
        raise AlreadyLinked(source_id, project_id)
    row = msgspec.structs.replace(
        create_bucket(tx, caller, msgspec.structs.replace(new_bucket, source_bucket_id="", source_project_id=None)),
        source_project_id=project_id,
        source_bucket_id=source_id,
    )
    buckets.change_bucket(tx, row, source_project_id=project_id, source_bucket_id=source_id)
    _record(tx, caller, "bucket.linked", row.id, source_project=project_id, source_bucket=source_id)
    return get_bucket(tx, caller, row.id)


def unlink_bucket(tx: Transaction, caller: Caller, bucket_id: str, project_id: int) -> None:
    """Remove another project's link to a bucket of this project."""
    row = _get_shareable(tx, caller, bucket_id)
    links = [link for link in buckets.list_links(tx, row) if link.project_id == project_id]
    if not links:
        raise BucketNotFound(bucket_id, project_id)
    for link in links:
        _remove_link(tx, link)
    _record(tx, caller, "bucket.unlinked", row.id, project=project_id)


def remove_links_to(tx: Transaction, project_id: int) -> None:
    """Remove the links that other projects have to buckets of a project that is purged or moved."""
    for link in buckets.list_links_to(tx, project_id):
        _remove_link(tx, link)


def remove_all_links(tx: Transaction, project_id: int) -> None:
    """Remove the links that other projects have to this one, and those that it has to others."""
    remove_links_to(tx, project_id)
    for link in buckets.list_links_of(tx, project_id):
        _remove_link(tx, link)


def _record(tx: Transaction, caller: Caller, event: str, bucket_id: str, **details: object) -> None:
    audit.record(tx, audit.NewEntry.of(caller, event, f"bucket {bucket_id}", **details))


def _remove_link(tx: Transaction, link: BucketRow) -> None:
    buckets.remove_bucket(tx, link)
    metadata.drop_metadata(tx, owner_of(link))


def _get_shareable(tx: Transaction, caller: Caller, bucket_id: str) -> BucketRow:
    row = get_bucket(tx, caller, bucket_id)
    check_may_write(caller, bucket_id)
    _check_is_main(caller)
    return row


def _check_is_main(caller: Caller) -> None:
    """Development branches are never visible to other projects."""
    if caller.has_own_storage:
        raise SharedInBranch


def _may_link(project_id: int, row: BucketRow) -> bool:
    return row.sharing != "specific-projects" or project_id in row.shared_with


def list_links(tx: Transaction, row: BucketRow) -> list[BucketRow]:
    """The linked buckets of other projects whose source is this one."""
    return buckets.list_links(tx, row)


def list_tables(tx: Transaction, row: BucketRow) -> list[TableRow]:
    """The tables of a bucket that another project shares."""
    return tables.list_tables(tx, row.project_id, row.branch_id, row.id)
