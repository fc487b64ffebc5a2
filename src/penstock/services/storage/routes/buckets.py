"""Buckets over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models import Wire
from penstock.services.storage.models.buckets import Bucket, show_bucket
from penstock.services.storage.models.tables import Table, show_table
from penstock.services.storage.operations import buckets, tables
from penstock.web.requests import Request
from penstock.web.routing import Route, get

IN_DETAIL = frozenset(("columns", "metadata"))


class IncludeQuery(Wire, frozen=True):
    """A comma list; absent and empty differ."""

    include: str | None = None

    def members(self, default: frozenset[str]) -> frozenset[str]:
        return default if self.include is None else frozenset(self.include.split(","))


def routes() -> list[Route]:
    one = "/v2/storage/buckets/{bucket_id}"
    return [
        get("/v2/storage/buckets", list_buckets, query=IncludeQuery, returns=list[Bucket], needs=Right.TOKEN),
        get(one, get_bucket, returns=Bucket, needs=Right.TOKEN),
        get(f"{one}/tables", list_bucket_tables, query=IncludeQuery, returns=list[Table], needs=Right.TOKEN),
    ]


def list_buckets(request: Request) -> list[Bucket]:
    with_metadata = "metadata" in request.query.members(frozenset())
    with request.reading() as tx:
        rows = buckets.list_buckets(tx, request.caller)
    return [show_bucket(row, request.addresses.url_of(STORAGE), metadata=with_metadata) for row in rows]


def get_bucket(request: Request) -> Bucket:
    """A bucket with its tables."""
    url, bucket_id = request.addresses.url_of(STORAGE), request.path["bucket_id"]
    with request.reading() as tx:
        row = buckets.get_bucket(tx, request.caller, bucket_id)
        inside = tables.list_tables(tx, request.caller, bucket_id)
    return show_bucket(row, url, tables=[show_table(table, url, None, IN_DETAIL) for table in inside])


def list_bucket_tables(request: Request) -> list[Table]:
    url, bucket_id = request.addresses.url_of(STORAGE), request.path["bucket_id"]
    include = request.query.members(frozenset(("buckets", "metadata")))
    with request.reading() as tx:
        bucket = show_bucket(buckets.get_bucket(tx, request.caller, bucket_id), url)
        rows = tables.list_tables(tx, request.caller, bucket_id)
    return [show_table(row, url, bucket, include) for row in rows]
