"""Tokens as clients see them: with the member that one belongs to, and the project."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from penstock.foundation.callers import GUEST, READING_ROLES, Caller
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.storage.models import TokenRef, to_text
from penstock.services.storage.models.tokens import Admin, Organization, Owner, Token, TokenRow
from penstock.services.storage.operations import buckets
from penstock.services.storage.operations.authentication import is_expired


class Viewing(msgspec.Struct, frozen=True):
    """What views of tokens of a project need besides the tokens."""

    tx: Transaction
    caller: Caller
    url: str
    """Of Storage."""
    buckets: dict[str, str]
    """All of the project, as a token that manages buckets lists them."""
    admins: dict[int, Admin]
    """The members that tokens belong to, by the id of the user."""


def viewing(tx: Transaction, caller: Caller, url: str, rows: Sequence[TokenRow]) -> Viewing:
    names = dict.fromkeys(buckets.list_bucket_ids(tx, caller), "manage")
    return Viewing(tx, caller, url, names, _find_admins(tx, caller.project_id, rows))


def _find_admins(tx: Transaction, project_id: int, rows: Sequence[TokenRow]) -> dict[int, Admin]:
    wanted = {row.user_id for row in rows if row.user_id}
    if not wanted:
        return {}
    roles = {member.user_id: member.role for member in management.list_members(tx, "project", project_id)}
    found = [management.find_user(tx, user_id) for user_id in wanted & roles.keys()]
    return {user.id: _to_admin(user, roles[user.id]) for user in found if user}


def _to_admin(user: management.User, role: str) -> Admin:
    return Admin(id=user.id, name=user.name, role=role, features=user.features)


def token_view(view: Viewing, row: TokenRow, *, secret: str = "", with_owner: bool = False) -> Token:
    admin = _find_admin(view, row)
    writes, reads_all = admin.role not in READING_ROLES, admin.role != GUEST
    owner = _owner(view) if with_owner else None
    # A token that manages buckets lists a permission for each of them.
    manages_buckets = row.is_master or row.can_manage_buckets
    all_buckets = view.buckets if writes else dict.fromkeys(view.buckets, "read")
    return Token(
        id=str(row.id),
        description=row.description,
        created=to_text(row.created),
        refreshed=to_text(row.refreshed),
        expires=to_text(row.expires) if row.expires else None,
        uri=f"{view.url}/v2/storage/tokens/{row.id}",
        is_master_token=row.is_master,
        can_manage_buckets=row.can_manage_buckets and writes,
        can_manage_tokens=row.can_manage_tokens and writes,
        can_create_jobs=row.can_create_jobs and writes,
        can_read_all_file_uploads=(row.is_master or row.can_read_all_files) and reads_all,
        can_purge_trash=(row.is_master or row.can_purge_trash) and writes,
        can_manage_protected_default_branch=row.is_master and writes,
        is_expired=is_expired(row),
        bucket_permissions=all_buckets if manages_buckets else row.bucket_permissions,
        component_access=row.component_access,
        token=secret or UNSET,
        creator_token=TokenRef(row.creator_id, row.creator_description or "") if row.creator_id else UNSET,
        admin=admin if row.is_master or row.user_id else UNSET,
        organization=Organization(str(owner[1])) if owner else UNSET,
        owner=owner[0] if owner else UNSET,
    )


def _find_admin(view: Viewing, row: TokenRow) -> Admin:
    """The member, with the role that this request has: that of a token of a person may be limited to reading."""
    admin = view.admins.get(row.user_id or 0)
    if admin and row.id == view.caller.token_id:
        return msgspec.structs.replace(admin, role=view.caller.role)
    return admin or Admin(id=row.id, name=row.description)


def _owner(view: Viewing) -> tuple[Owner, int]:
    """The project of the caller, and the id of its organization."""
    project = management.get_project(view.tx, view.caller.project_id)
    rows, size = buckets.measure_project(view.tx, view.caller)
    members = management.count_members(view.tx, "project", project.id)
    owner = Owner(
        id=project.id,
        name=project.name,
        created=to_text(project.created),
        rows_count=rows,
        data_size_bytes=size,
        features=project.active_features,
        expires=to_text(project.expires) if project.expires else None,
        limits=management.show_values(project.limits),
        metrics=management.show_metrics(rows, size, members),
        is_disabled=project.is_disabled,
        has_try_mode_on="1" if project.has_try_mode else "0",
        billed_monthly_price=project.billed_monthly_price,
        data_retention_time_in_days=project.data_retention_days,
        type=project.type,
    )
    return owner, project.organization_id
