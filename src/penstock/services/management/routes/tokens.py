"""Tokens over HTTP: what the caller's token is, and a Storage token for a user of another service."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import Right
from penstock.foundation.errors import Unauthorized
from penstock.foundation.stacks import STORAGE
from penstock.services.management.models.tokens import BridgeRequest, TokenInfo
from penstock.services.management.operations import tokens
from penstock.services.management.operations.standing import user_id_of
from penstock.services.management.ports import Logins, Storage
from penstock.web.auth.scheme import Scheme
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

SUBJECT = "X-Subject-Token"


def routes(storage: Storage, logins: Logins) -> list[Route]:
    path = "/manage/internal/auth-bridge/resolve-storage-token"
    return [
        get(
            "/manage/tokens/verify",
            _Verifying(logins).verify_token,
            needs=Right.TOKEN,
            is_cached=True,
            title="Verify a Manage token",
        ),
        post(
            path,
            _Bridge(storage).resolve_token,
            needs=Right.TOKEN,
            auth=subject_token(logins),
            title="Resolve the token of a person to a Storage token",
        ),
    ]


def subject_token(logins: Logins) -> Scheme:
    """The token of the user that another service acts for, in the header X-Subject-Token."""
    return Scheme(
        name="subject token",
        find_credential=_find_subject,
        explain_missing=lambda _http: Unauthorized(
            f"Send the token of a user in the header `{SUBJECT}: Bearer TOKEN`."
        ),
        find_caller=logins.authenticate_manager,
        security={"type": "apiKey", "in": "header", "name": SUBJECT},
    )


def _find_subject(http: HttpRequest) -> str:
    return http.headers.get(SUBJECT.lower(), "").removeprefix("Bearer ").strip()


class _Verifying:
    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    def verify_token(self, request: Request) -> TokenInfo:
        """The token of the request: whose it is, and what it may do."""
        with request.reading() as tx:
            return tokens.view_token(tx, self._logins, request.identity)


class _Bridge:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def resolve_token(self, request: Request, body: BridgeRequest) -> dict[str, Any]:
        """A Storage token with which a service acts for a member of a project, for an hour. The role of the member
        limits it, and it ends with the membership."""
        with request.reading() as tx:
            tokens.check_member(tx, request.identity, body.project_id)
        with request.writing(project_id=body.project_id) as tx:
            wanted = tokens.for_member(tx, request.identity, body.project_id)
            url = request.addresses.url_of(STORAGE)
            made = self._storage.create_member_token(tx, request.identity, body.project_id, wanted, url)
        return {
            "storageToken": made["token"],
            "projectId": body.project_id,
            "tokenId": made["id"],
            "userId": str(user_id_of(request.identity)),
            "expiresAt": made["expires"],
            "tokenDetail": made,
        }
