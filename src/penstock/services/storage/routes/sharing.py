"""Buckets that projects show to each other, over HTTP."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Caller, Right
from penstock.foundation.database import Transaction
from penstock.foundation.ids import read_id
from penstock.foundation.limits import Names
from penstock.services.storage.errors.buckets import BucketNotFound
from penstock.services.storage.models import Number, Wire
from penstock.services.storage.models.buckets import BucketRow, ProjectRef
from penstock.services.storage.models.jobs import Job, job_view
from penstock.services.storage.operations import jobs, sharing
from penstock.services.storage.operations.tables.views import buckets_view
from penstock.services.storage.routes.views import IncludeQuery, viewer_of
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put


class Sharing(Wire, frozen=True):
    sharing: str = ""
    target_project_ids: Names[Number] = []


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
    job = {"returns": Job, "status": 202}
    return [
        get(
            "/v2/storage/shared-buckets",
            list_shared_buckets,
            query=IncludeQuery,
            returns=list[SharedBucket],
            needs=Right.TOKEN,
        ),
        put(f"{one}/share", change_sharing, body=Sharing, needs=Right.MANAGE_BUCKETS, **job),
        delete(f"{one}/share", unshare_bucket, needs=Right.MANAGE_BUCKETS, **job),
        post(f"{one}/share-organization", share_with_organization, body=Sharing, needs=Right.MANAGE_BUCKETS, **job),
        post(f"{one}/share-organization-project", share_with_members, body=Sharing, needs=Right.MANAGE_BUCKETS, **job),
        post(f"{one}/share-to-projects", share_with_projects, body=Sharing, needs=Right.MANAGE_BUCKETS, **job),
        delete(f"{one}/links/{{project_id}}", unlink_bucket, needs=Right.MANAGE_BUCKETS, **job),
    ]


def list_shared_buckets(request: Request) -> list[SharedBucket]:
    """What other projects share with this one."""
    with request.reading() as tx:
        rows = sharing.list_shared_buckets(tx, request.caller)
        return [_show(tx, request, row) for row in rows]


def change_sharing(request: Request) -> Job:
    return _share(request, request.body.sharing, "bucketShareUpdate")


def share_with_organization(request: Request) -> Job:
    """Any project of this stack may link the bucket."""
    return _share(request, "organization", "bucketShareToOrganization")


def share_with_members(request: Request) -> Job:
    return _share(request, "organization-project", "bucketShareToOrganizationProject")


def share_with_projects(request: Request) -> Job:
    """Only these projects may link the bucket."""
    return _share(request, "specific-projects", "bucketShareToProjects")


def unshare_bucket(request: Request) -> Job:
    def work(tx: Transaction, caller: Caller, bucket_id: str) -> None:
        sharing.unshare_bucket(tx, caller, bucket_id)

    return _at_once(request, "bucketRemoveShare", work)


def unlink_bucket(request: Request) -> Job:
    """Take away what another project sees of a bucket of this one."""
    project_id = read_id(request.path["project_id"])

    def work(tx: Transaction, caller: Caller, bucket_id: str) -> None:
        if project_id is None:
            raise BucketNotFound(bucket_id, 0)
        sharing.unlink_bucket(tx, caller, bucket_id, project_id)

    return _at_once(request, "bucketForceUnlink", work)


def _share(request: Request, how: str, operation: str) -> Job:
    def work(tx: Transaction, caller: Caller, bucket_id: str) -> None:
        sharing.share_bucket(tx, caller, bucket_id, how, request.body.target_project_ids)

    return _at_once(request, operation, work)


def _at_once(request: Request, operation: str, work: Any) -> Job:
    """Done in the request, and shown as the job that clients expect."""
    bucket_id = request.path["bucket_id"]
    with request.writing() as tx:
        work(tx, request.caller, bucket_id)
        job = jobs.record_done(tx, request.caller, jobs.NewJob(operation=operation, params={"bucketId": bucket_id}))
    return job_view(job, viewer_of(request).url)


def _show(tx: Transaction, request: Request, row: BucketRow) -> SharedBucket:
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
