"""What a token may do with buckets, files and deleted configurations."""

from __future__ import annotations

from penstock.foundation.callers import Caller


def may_read_bucket(caller: Caller, bucket_id: str) -> bool:
    return caller.sees_all_buckets or bucket_id in caller.bucket_permissions


def may_write_bucket(caller: Caller, bucket_id: str) -> bool:
    return caller.sees_all_buckets or caller.bucket_permissions.get(bucket_id) in ("write", "manage")


def may_read_all_files(caller: Caller) -> bool:
    return caller.is_master or caller.can_read_all_files


def may_purge_trash(caller: Caller) -> bool:
    return caller.is_master or caller.can_purge_trash
