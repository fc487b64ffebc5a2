"""Buckets over HTTP."""

from __future__ import annotations

from types import NoneType

import msgspec

from penstock.foundation.callers import Right
from penstock.services.storage.models.buckets import Bucket, BucketChange, NewBucket
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.tables import Table
from penstock.services.storage.operations import buckets, sharing
from penstock.services.storage.operations.tables import tables
from penstock.services.storage.operations.tables.views import buckets_view, tables_view
from penstock.services.storage.routes.jobs import accept, finish
from penstock.services.storage.routes.views import DeletionQuery, IncludeQuery, viewer_of
from penstock.web.requests import Later, Request
from penstock.web.routing import Route, delete, get, post, put

METADATA = frozenset(("metadata",))
TABLES = frozenset(("columns", "metadata", "columnMetadata"))
"""What the tables in the detail of a bucket include."""


def routes() -> list[Route]:
    every, one = "/v2/storage/buckets", "/v2/storage/buckets/{bucket_id}"
    return [
        get(every, list_buckets, needs=Right.TOKEN),
        post(every, create_bucket, needs=Right.MANAGE_BUCKETS, status=201),
        get(one, get_bucket, needs=Right.TOKEN),
        put(one, change_bucket, needs=Right.TOKEN),
        delete(one, delete_bucket, needs=Right.MANAGE_BUCKETS, status=202),
        get(f"{one}/tables", list_bucket_tables, needs=Right.TOKEN, title="List tables of a bucket"),
    ]


def list_buckets(request: Request, query: IncludeQuery) -> list[Bucket]:
    include = query.members(frozenset())
    with request.reading() as tx:
        return buckets_view(tx, viewer_of(request), buckets.list_buckets(tx, request.caller), include)


def create_bucket(request: Request, body: NewBucket) -> Bucket:
    """Create a bucket; with `sourceBucketId`, link a bucket of another project."""
    is_link = bool(body.source_bucket_id)
    make = sharing.link_bucket if is_link else buckets.create_bucket
    with request.writing(across_projects=is_link) as tx:
        row = make(tx, request.caller, body)
        return buckets_view(tx, viewer_of(request), [row], METADATA)[0]


def get_bucket(request: Request, bucket_id: str, query: IncludeQuery) -> Bucket:
    """A bucket with its tables."""
    with request.reading() as tx:
        row = buckets.get_bucket(tx, request.caller, bucket_id)
        inside = tables_view(tx, viewer_of(request), tables.list_tables(tx, request.caller, row.id), TABLES)
        [shown] = buckets_view(tx, viewer_of(request), [row], METADATA | query.members(frozenset()))
    return msgspec.structs.replace(shown, tables=inside)


def change_bucket(request: Request, bucket_id: str, body: BucketChange) -> Bucket:
    with request.writing() as tx:
        row = buckets.change_bucket(tx, request.caller, bucket_id, body)
        return buckets_view(tx, viewer_of(request), [row], METADATA)[0]


def delete_bucket(request: Request, bucket_id: str, query: DeletionQuery) -> Job | Later[None]:
    """Delete a bucket; with `force` also all its tables too; 204, or 202 with a job if requested."""
    with request.writing() as tx:
        job = buckets.plan_deletion(tx, request.caller, bucket_id, is_forced=query.force)
    return accept(request, job) if query.is_async else finish(request, job, NoneType)


def list_bucket_tables(request: Request, bucket_id: str, query: IncludeQuery) -> list[Table]:
    with request.reading() as tx:
        rows = tables.list_tables(tx, request.caller, bucket_id)
        return tables_view(tx, viewer_of(request), rows, query.members(frozenset(("buckets", "metadata"))))
