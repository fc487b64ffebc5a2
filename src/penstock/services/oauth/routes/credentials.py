"""Credentials over HTTP. Their secrets are returned as ciphers."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.oauth.models.credentials import (
    BranchQuery,
    Credential,
    CredentialsQuery,
    NewCredential,
    credential_view,
)
from penstock.services.oauth.operations import credentials
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

OF_COMPONENT = "/credentials/{component_id}"
ONE = f"{OF_COMPONENT}/{{credential_id}}"


def routes() -> list[Route]:
    """Return the routes. Callers that may use a component may use its credentials: the operations check that."""
    return [
        get(
            "/credentials",
            list_all,
            needs=Right.TOKEN,
            is_confidential=True,
            title="List credentials of all components",
        ),
        get(
            OF_COMPONENT,
            list_of_component,
            needs=Right.TOKEN,
            is_confidential=True,
            title="List credentials of a component",
        ),
        post(OF_COMPONENT, add_credential, needs=Right.TOKEN, status=201, title="Store a credential"),
        get(ONE, get_credential, needs=Right.TOKEN, is_confidential=True),
        delete(ONE, delete_credential, needs=Right.TOKEN, status=204),
    ]


def list_all(request: Request, query: CredentialsQuery) -> list[Credential]:
    """List the credentials of all components that the token may use."""
    with request.reading() as tx:
        return [credential_view(row) for row in credentials.list_credentials(tx, request.caller, query)]


def list_of_component(request: Request, component_id: str, query: BranchQuery) -> list[Credential]:
    with request.reading() as tx:
        rows = credentials.list_of_component(tx, request.caller, component_id, query.branch_id)
    return [credential_view(row) for row in rows]


def add_credential(request: Request, component_id: str, body: NewCredential) -> Credential:
    """Store credentials that were obtained elsewhere."""
    with request.writing() as tx:
        row = credentials.add_credential(tx, request.caller, request.stack.cipher, component_id, body)
    return credential_view(row)


def get_credential(request: Request, component_id: str, credential_id: str, query: BranchQuery) -> Credential:
    with request.reading() as tx:
        row = credentials.get_credential(tx, request.caller, component_id, credential_id, query.branch_id)
    return credential_view(row)


def delete_credential(request: Request, component_id: str, credential_id: str, query: BranchQuery) -> None:
    with request.writing() as tx:
        credentials.remove_credential(tx, request.caller, component_id, credential_id, query.branch_id)
