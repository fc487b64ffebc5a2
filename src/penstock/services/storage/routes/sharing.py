"""Buckets shared between projects, over HTTP."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.ids import read_id
from penstock.foundation.limits import Names
from penstock.foundation.structs import Wire
from penstock.services.storage.errors.buckets import BucketNotFound
from penstock.services.storage.models import Number
from penstock.services.storage.models.buckets import BucketRow, ProjectRef
from penstock.services.storage.models.jobs import Job, job_view
from penstock.services.storage.operations import jobs, sharing
from penstock.services.storage.operations.tables.views import buckets_view
from penstock.services.storage.routes.views import IncludeQuery, viewer_of
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put


class Sharing(Wire, frozen=True):
    sharing: str = ""
    """Who may link the bucket: `organization`, `organization-project` or `specific-projects`. Only to change the
    sharing; the other operations say it with their path."""
    target_project_ids: Names[Number] = []
    """Ids of the projects that may link the bucket, for `specific-projects`."""


class SharedTable(Wire, frozen=True):
    id: str
    name: str
    display_name: str


class SharedBucket(Wire, frozen=True):
    """A bucket that this project may link."""

    id: str
    name: str
    display_name: str
    stage: str
    description: str
    sharing: str | None
    created: str
    last_change_date: str | None
    data_size_bytes: int
    rows_count: int
    backend: str
    project: ProjectRef
    tables: list[SharedTable]
    color: str | None = None
    shared_by: dict[str, Any] | None = None
    sharing_parameters: Any = []
    owner: None = None


def routes() -> list[Route]:
    one = "/v2/storage/buckets/{bucket_id}"
    return [
        get("/v2/storage/shared-buckets", list_shared_buckets, needs=Right.TOKEN),
        put(
            f"{one}/share",
            change_sharing,
            needs=Right.SHARE_BUCKETS,
            status=202,
            title="Change who may link a shared bucket",
        ),
        delete(f"{one}/share", unshare_bucket, needs=Right.SHARE_BUCKETS, status=202, title="Stop sharing a bucket"),
        post(
            f"{one}/share-organization",
            share_with_organization,
            needs=Right.SHARE_BUCKETS,
            status=202,
            title="Share a bucket with the organization",
        ),
        post(
            f"{one}/share-organization-project",
            share_with_members,
            needs=Right.SHARE_BUCKETS,
            status=202,
            title="Share a bucket with projects of the organization",
        ),
        post(
            f"{one}/share-to-projects",
            share_with_projects,
            needs=Right.SHARE_BUCKETS,
            status=202,
            title="Share a bucket with some projects",
        ),
        delete(
            f"{one}/links/{{project_id}}",
            unlink_bucket,
            needs=Right.SHARE_BUCKETS,
            status=202,
            title="Remove the link of another project to a bucket",
        ),
    ]


def list_shared_buckets(request: Request, query: IncludeQuery) -> list[SharedBucket]:  # noqa: ARG001
    """Buckets that other projects share with this one."""
    with request.reading() as tx:
        rows = sharing.list_shared_buckets(tx, request.caller)
        return [_view(tx, request, row) for row in rows]


def change_sharing(request: Request, bucket_id: str, body: Sharing) -> Job:
    return _share(request, bucket_id, body, body.sharing, "bucketShareUpdate")


def share_with_organization(request: Request, bucket_id: str, body: Sharing) -> Job:
    """Let any project of the organization link the bucket."""
    return _share(request, bucket_id, body, "organization", "bucketShareToOrganization")


def share_with_members(request: Request, bucket_id: str, body: Sharing) -> Job:
    return _share(request, bucket_id, body, "organization-project", "bucketShareToOrganizationProject")


def share_with_projects(request: Request, bucket_id: str, body: Sharing) -> Job:
    """Let only these projects link the bucket."""
    return _share(request, bucket_id, body, "specific-projects", "bucketShareToProjects")


def unshare_bucket(request: Request, bucket_id: str) -> Job:
    with request.writing(across_projects=True) as tx:
        sharing.unshare_bucket(tx, request.caller, bucket_id)
        return _record_done(request, tx, bucket_id, "bucketRemoveShare")


def unlink_bucket(request: Request, bucket_id: str, project_id: str) -> Job:
    """Remove another project's link to a bucket of this project."""
    number = read_id(project_id)
    if number is None:
        raise BucketNotFound(bucket_id, 0)
    with request.writing(across_projects=True) as tx:
        sharing.unlink_bucket(tx, request.caller, bucket_id, number)
        return _record_done(request, tx, bucket_id, "bucketForceUnlink")


def _share(request: Request, bucket_id: str, body: Sharing, how: str, operation: str) -> Job:
    with request.writing(across_projects=True) as tx:
        sharing.share_bucket(tx, request.caller, bucket_id, how, body.target_project_ids)
        return _record_done(request, tx, bucket_id, operation)


def _record_done(request: Request, tx: Transaction, bucket_id: str, operation: str) -> Job:
    """The job that clients expect, although the request has done the work."""
    job = jobs.record_done(tx, request.caller, jobs.NewJob(operation=operation, params={"bucketId": bucket_id}))
    return job_view(job, viewer_of(request).url)


def _view(tx: Transaction, request: Request, row: BucketRow) -> SharedBucket:
    [shown] = buckets_view(tx, viewer_of(request), [row], frozenset())
    tables = [SharedTable(id=t.id, name=t.name, display_name=t.display_name) for t in sharing.list_tables(tx, row)]
    return SharedBucket(
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        stage=row.stage,
        description=row.description,
        sharing=row.sharing,
        created=shown.created,
        last_change_date=shown.last_change_date,
        data_size_bytes=row.data_size_bytes,
        rows_count=row.rows_count,
        backend=shown.backend,
        project=sharing.project_of(tx, row.project_id),
        tables=tables,
        color=row.color,
        sharing_parameters=shown.sharing_parameters,
    )
