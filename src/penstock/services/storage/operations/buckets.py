"""Buckets: who may see them, and how one comes to be."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden
from penstock.services.storage.errors import BucketNotFound
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.names import check_bucket_id
from penstock.services.storage.store import buckets


def list_buckets(tx: Transaction, caller: Caller) -> list[BucketRow]:
    found = buckets.list_buckets(tx, caller.project_id, caller.branch_id)
    return [row for row in found if caller.may_read_bucket(row.id)]


def list_bucket_ids(tx: Transaction, caller: Caller) -> list[str]:
    """Of every bucket of the project, whoever asks: for showing what a token that manages buckets may do."""
    return [row.id for row in buckets.list_buckets(tx, caller.project_id, caller.branch_id)]


def get_bucket(tx: Transaction, caller: Caller, bucket_id: str) -> BucketRow:
    found = buckets.find_bucket(tx, caller.project_id, caller.branch_id, bucket_id)
    if not found:
        raise BucketNotFound(bucket_id, caller.project_id)
    if not caller.may_read_bucket(bucket_id):
        raise Forbidden("You don't have access to the resource.")
    return found


def check_may_write(caller: Caller, bucket_id: str) -> None:
    if not caller.may_write_bucket(bucket_id):
        raise Forbidden(f'The token "{caller.description}" may not write to the bucket "{bucket_id}".')


def ensure_bucket(tx: Transaction, caller: Caller, bucket_id: str) -> BucketRow:
    """The bucket, to write into; made if it is not there."""
    check_may_write(caller, bucket_id)
    found = buckets.find_bucket(tx, caller.project_id, caller.branch_id, bucket_id)
    if found:
        return found
    stage, name = check_bucket_id(bucket_id)
    row = BucketRow(
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        id=bucket_id,
        number=ids.new_id(tx),
        stage=stage,
        name=name,
        display_name=name.removeprefix("c-"),
        description="",
        created=clock.now(),
    )
    buckets.add_bucket(tx, row)
    return row
