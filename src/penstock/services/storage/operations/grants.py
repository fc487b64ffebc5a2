"""Permissions of new tokens: a caller cannot grant more than its own."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.developer import interface as developer
from penstock.services.storage.errors.tokens import InvalidPermissions
from penstock.services.storage.models.tokens import NewToken, TokenChange, TokenRow
from penstock.services.storage.operations.permissions import (
    may_purge_trash,
    may_read_all_files,
    may_read_bucket,
    may_write_bucket,
)
from penstock.services.storage.store import buckets

PERMISSIONS = ("read", "write")
POWERS = (
    *("is_master", "can_manage_buckets", "can_manage_tokens"),
    *("can_create_jobs", "can_read_all_files", "can_purge_trash"),
)


def grant(tx: Transaction, caller: Caller, token: NewToken | TokenChange) -> dict[str, object]:
    """The permissions to store: those that were requested and that the caller has."""
    given: dict[str, object] = {}
    if token.bucket_permissions is not UNSET:
        given["bucket_permissions"] = _check_permissions(tx, caller, token.bucket_permissions)
    if token.component_access is not UNSET:
        given["component_access"] = _component_ids(tx, caller, token.component_access)
    for name, asked, has in (
        ("can_manage_buckets", token.can_manage_buckets, caller.sees_all_buckets),
        ("can_create_jobs", token.can_create_jobs, caller.is_master or caller.can_create_jobs),
        ("can_read_all_files", token.can_read_all_file_uploads, may_read_all_files(caller)),
        ("can_purge_trash", token.can_purge_trash, may_purge_trash(caller)),
    ):
        if asked is not UNSET:
            given[name] = asked and has
    return given


def _check_permissions(tx: Transaction, caller: Caller, permissions: dict[str, str]) -> dict[str, str]:
    # In the default branch, or in the branch of the request.
    places = {caller.main_branch_id, caller.storage_branch_id}
    known = buckets.list_bucket_ids(tx, caller.project_id, places) if permissions else set[str]()
    for bucket_id, permission in permissions.items():
        if permission not in PERMISSIONS:
            raise InvalidPermissions(
                f'"{permission}" is not a valid bucket permission; use {" or ".join(PERMISSIONS)}.'
            )
        if bucket_id not in known:
            raise InvalidPermissions(f'There is no bucket "{bucket_id}" to give permission for.')
        if not _may(caller, bucket_id, permission):
            raise InvalidPermissions(f'You have no "{permission}" permission for the bucket "{bucket_id}" to give.')
    return permissions


def _may(caller: Caller, bucket_id: str, permission: str) -> bool:
    return may_read_bucket(caller, bucket_id) if permission == "read" else may_write_bucket(caller, bucket_id)


def _component_ids(tx: Transaction, caller: Caller, component_ids: list[str]) -> list[str]:
    return [_component_id(tx, caller, given) for given in dict.fromkeys(component_ids)]


def _component_id(tx: Transaction, caller: Caller, component_id: str) -> str:
    component = developer.find_component(tx, component_id)
    if not component or not caller.may_use_component(component.id):
        raise InvalidPermissions(f'There is no component "{component_id}" to give access to.')
    return component.id


def has_all_of(caller: Caller, token: TokenRow, own_end: datetime | None) -> bool:
    """Whether the caller, whose token expires at `own_end`, can do everything the token can, for at least as long."""
    if caller.is_master:
        return caller.may_share or not token.is_master
    return (
        all(getattr(caller, power) or not getattr(token, power) for power in POWERS)
        and all(_may(caller, bucket_id, permission) for bucket_id, permission in token.bucket_permissions.items())
        and all(caller.may_use_component(component_id) for component_id in token.component_access)
        and (own_end is None or (token.expires is not None and token.expires <= own_end))
    )
