"""Tokens over HTTP."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.management import interface as management
from penstock.services.storage.models import TokenRef, to_text
from penstock.services.storage.models.tokens import (
    Admin,
    Limit,
    NewToken,
    Organization,
    Owner,
    Token,
    TokenChange,
    TokenRow,
)
from penstock.services.storage.operations import buckets, tokens
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

LIMITS = {
    name: Limit(name, value)
    for name, value in (("components.jobsParallelism", 10), ("storage.jobsParallelism", 10), ("kbc.adminsCount", 1))
}


def routes() -> list[Route]:
    one = "/v2/storage/tokens/{token_id}"
    return [
        get("/v2/storage/tokens/verify", verify_token, needs=Right.TOKEN, is_cached=True),
        get("/v2/storage/tokens", list_tokens, needs=Right.MANAGE_TOKENS),
        post("/v2/storage/tokens", create_token, needs=Right.TOKEN, status=201),
        get(one, get_token, needs=Right.TOKEN),
        put(one, update_token, needs=Right.MANAGE_TOKENS),
        delete(one, revoke_token, needs=Right.MANAGE_TOKENS, status=204),
        post(f"{one}/refresh", refresh_token, needs=Right.TOKEN),
    ]


def verify_token(request: Request) -> Token:
    """The project and the permissions of the token."""
    with request.reading() as tx:
        row = tokens.get_token(tx, request.caller, str(request.caller.token_id))
        return _view(request, row, _all_buckets(tx, request), secret=request.token, owner=_owner(tx, request, row))


def list_tokens(request: Request) -> list[Token]:
    with request.reading() as tx:
        all_buckets = _all_buckets(tx, request)
        return [_view(request, row, all_buckets) for row in tokens.list_tokens(tx, request.caller)]


def create_token(request: Request, body: NewToken) -> Token:
    """Create a token; its secret is in this response only."""
    with request.writing() as tx:
        issued = tokens.create_token(tx, request.caller, body)
        return _view(request, issued.row, _all_buckets(tx, request), secret=issued.text)


def get_token(request: Request, token_id: str) -> Token:
    """A token; any may read itself, and one that manages tokens all of the project."""
    with request.reading() as tx:
        row = tokens.get_visible_token(tx, request.caller, token_id)
        return _view(request, row, _all_buckets(tx, request), owner=_owner(tx, request, row))


def update_token(request: Request, token_id: str, body: TokenChange) -> Token:
    """Update the given fields, effective at once."""
    with request.writing() as tx:
        row = tokens.update_token(tx, request.caller, token_id, body)
        return _view(request, row, _all_buckets(tx, request))


def refresh_token(request: Request, token_id: str) -> Token:
    """Create a new secret, which is in this response only; the old one stops working at once."""
    with request.writing() as tx:
        issued = tokens.refresh_token(tx, request.caller, token_id)
        return _view(request, issued.row, _all_buckets(tx, request), secret=issued.text)


def revoke_token(request: Request, token_id: str) -> None:
    """The token stops working at once."""
    with request.writing() as tx:
        tokens.revoke_token(tx, request.caller, token_id)


def _view(
    request: Request, row: TokenRow, all_buckets: dict[str, str], *, secret: str = "", owner: Owner | UnsetType = UNSET
) -> Token:
    # A token that manages buckets lists a permission for each of them.
    manages_buckets = row.is_master or row.can_manage_buckets
    return Token(
        id=str(row.id),
        description=row.description,
        created=to_text(row.created),
        refreshed=to_text(row.refreshed),
        expires=to_text(row.expires) if row.expires else None,
        uri=f"{request.addresses.url_of(STORAGE)}/v2/storage/tokens/{row.id}",
        is_master_token=row.is_master,
        can_manage_buckets=row.can_manage_buckets,
        can_manage_tokens=row.can_manage_tokens,
        can_create_jobs=row.can_create_jobs,
        can_read_all_file_uploads=row.is_master or row.can_read_all_files,
        can_purge_trash=row.is_master or row.can_purge_trash,
        can_manage_protected_default_branch=row.is_master,
        is_expired=tokens.is_expired(row),
        bucket_permissions=all_buckets if manages_buckets else row.bucket_permissions,
        component_access=row.component_access,
        token=secret or UNSET,
        creator_token=TokenRef(row.creator_id, row.creator_description or "") if row.creator_id else UNSET,
        admin=Admin(id=row.id, name=row.description) if row.is_master else UNSET,
        organization=Organization("1") if owner else UNSET,
        owner=owner,
    )


def _all_buckets(tx: Transaction, request: Request) -> dict[str, str]:
    return dict.fromkeys(buckets.list_bucket_ids(tx, request.caller), "manage")


def _owner(tx: Transaction, request: Request, row: TokenRow) -> Owner:
    project = management.get_project(tx, row.project_id)
    rows, size = buckets.measure_project(tx, request.caller)
    return Owner(
        id=project.id,
        name=project.name,
        created=to_text(project.created),
        rows_count=rows,
        data_size_bytes=size,
        features=project.active_features,
        limits=LIMITS,
    )
