"""What Management is given of Storage: projects get their Main branch and tokens, and are measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.foundation.callers import AnyCaller, Caller, Identity
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.storage.models import to_text
from penstock.services.storage.models.tokens import NewToken
from penstock.services.storage.operations import made_tokens, projects
from penstock.services.storage.operations.issuing import IssuedToken, create_managed_token
from penstock.services.storage.operations.sharing import remove_all_links
from penstock.services.storage.operations.token_views import token_view, viewing
from penstock.services.storage.store import branches, buckets


def open_project(tx: Transaction, project: management.Project) -> None:
    projects.open_project(tx, project)


def create_token(
    tx: Transaction, manager: Identity, project_id: int, new_token: management.NewStorageToken
) -> dict[str, Any]:
    """The token as Management shows it, with its text."""
    return _show(_create(tx, manager, _full_access(tx, project_id), new_token, None))


def create_member_token(
    tx: Transaction, manager: AnyCaller, project_id: int, new_token: management.NewStorageToken, url: str
) -> dict[str, Any]:
    """A token for the calling user, as `tokens/verify` shows it; `url` is that of Storage."""
    caller = _full_access(tx, project_id)
    issued = _create(tx, manager, caller, new_token, management.user_id_of(manager))
    shown = token_view(viewing(tx, caller, url, [issued.row]), issued.row, secret=issued.text, with_owner=True)
    return msgspec.to_builtins(shown)


def _full_access(tx: Transaction, project_id: int) -> Caller:
    main = branches.list_branches(tx, project_id)[-1].id
    return Caller(
        project_id=project_id, branch_id=main, main_branch_id=main, token_id=0, description="", is_master=True
    )


def _create(
    tx: Transaction, manager: Identity, caller: Caller, new_token: management.NewStorageToken, user_id: int | None
) -> IssuedToken:
    given = NewToken(
        description=new_token.description,
        bucket_permissions=new_token.bucket_permissions,
        component_access=new_token.component_access,
        can_manage_buckets=new_token.can_manage_buckets,
        can_create_jobs=new_token.can_create_jobs,
        can_read_all_file_uploads=new_token.can_read_all_file_uploads,
        can_purge_trash=new_token.can_purge_trash,
        expires_in=new_token.expires_in,
    )
    can_manage = new_token.can_manage_tokens
    return create_managed_token(tx, manager, caller, given, can_manage_tokens=can_manage, user_id=user_id)


def _show(issued: IssuedToken) -> dict[str, Any]:
    row = issued.row
    return {
        "id": str(row.id),
        "token": issued.text,
        "created": to_text(row.created),
        "refreshed": to_text(row.refreshed),
        "description": row.description,
        "uri": f"/v2/storage/tokens/{row.id}",
        "isMasterToken": row.is_master,
        "canManageBuckets": row.can_manage_buckets,
        "canManageTokens": row.can_manage_tokens,
        "canCreateJobs": row.can_create_jobs,
        "canReadAllFileUploads": row.can_read_all_files,
        "canPurgeTrash": row.can_purge_trash,
        "expires": to_text(row.expires) if row.expires else None,
        "isExpired": False,
        "isDisabled": False,
        "dailyCapacity": 0,
        "bucketPermissions": row.bucket_permissions,
        "componentAccess": row.component_access,
    }


def measure(tx: Transaction, project_ids: Sequence[int]) -> dict[int, management.Usage]:
    """What the tables of each project hold, in all branches, without linked buckets."""
    found = buckets.measure_projects(tx, project_ids)
    return {number: management.Usage(buckets=count, rows=rows, size_bytes=size) for number, count, rows, size in found}


def list_made_tokens(tx: Transaction, project_id: int, user_id: int) -> list[management.MadeToken]:
    found = made_tokens.list_made(tx, project_id, user_id)
    return [management.MadeToken(str(row.id), row.description, to_text(row.created)) for row in found]


def revoke_made_tokens(tx: Transaction, manager: Identity, project_id: int, user_id: int) -> None:
    made_tokens.revoke_made(tx, manager, project_id, made_tokens.list_made(tx, project_id, user_id))


FOR_MANAGEMENT = management.Storage(
    open_project=open_project,
    create_token=create_token,
    create_member_token=create_member_token,
    list_made_tokens=list_made_tokens,
    revoke_made_tokens=revoke_made_tokens,
    cut_links=remove_all_links,
    measure=measure,
)
