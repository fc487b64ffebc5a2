"""Workspaces over HTTP: created, listed, deleted, and their credentials."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.foundation.structs import Wire
from penstock.services.storage.models.blobs import Access
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.workspaces import (
    BACKEND,
    NewCredentials,
    NewPublicKey,
    NewWorkspace,
    Password,
    Place,
    WorkspaceRow,
    WorkspaceView,
    credentials_view,
    workspace_view,
)
from penstock.services.storage.operations import jobs, workspace_rows
from penstock.services.storage.operations.files.signatures import Signer
from penstock.services.storage.operations.workspace_engines import remove_engine
from penstock.services.storage.operations.workspaces import credentials, workspaces
from penstock.services.storage.operations.workspaces.secrets import new_key_pair
from penstock.services.storage.routes.configurations import CONFIG
from penstock.services.storage.routes.jobs import accept
from penstock.web.requests import Accepted, Request
from penstock.web.routing import Route, delete, get, post

EVERY = "/v2/storage/workspaces"
ONE = f"{EVERY}/{{workspace_id}}"


class AsyncQuery(Wire, frozen=True):
    """`async` returns a job."""

    is_async: bool = msgspec.field(default=False, name="async")
    """Whether the response is 202 with a job. Otherwise the request waits for the end."""


def routes() -> list[Route]:
    return [
        get(EVERY, list_workspaces, needs=Right.TOKEN),
        post(EVERY, create_workspace, needs=Right.TOKEN, status=201, is_for_readers=True),
        get(ONE, get_workspace, needs=Right.TOKEN),
        delete(ONE, delete_workspace, needs=Right.TOKEN, status=204, is_for_readers=True),
        get(
            f"{CONFIG}/workspaces",
            list_configuration_workspaces,
            needs=Right.TOKEN,
            title="List workspaces of a configuration",
        ),
        post(
            f"{CONFIG}/workspaces",
            create_configuration_workspace,
            needs=Right.TOKEN,
            status=201,
            title="Create a workspace of a configuration",
        ),
        post(
            f"{ONE}/password", reset_password, needs=Right.TOKEN, status=201, title="Reset the password of a workspace"
        ),
        post(f"{ONE}/public-key", set_public_key, needs=Right.TOKEN, title="Set the public key of a workspace"),
        post(
            f"{ONE}/public-key/{{key_name}}",
            set_named_public_key,
            needs=Right.TOKEN,
            title="Set one of two public keys of a workspace",
        ),
        post(f"{ONE}/credentials", create_credentials, needs=Right.TOKEN, title="Create credentials of a workspace"),
        get(
            f"{ONE}/credentials/{{credentials_id}}",
            get_credentials,
            needs=Right.TOKEN,
            title="Get credentials of a workspace",
        ),
        delete(
            f"{ONE}/credentials/{{credentials_id}}",
            remove_credentials,
            needs=Right.TOKEN,
            status=204,
            title="Remove credentials of a workspace",
        ),
    ]


def list_workspaces(request: Request) -> list[WorkspaceView]:
    """List the workspaces that the caller may use, without secrets."""
    with request.reading() as tx:
        rows = workspace_rows.list_workspaces(tx, request.caller)
    return [workspace_view(row, place_of(request)) for row in rows]


def create_workspace(request: Request, query: AsyncQuery, body: NewWorkspace) -> WorkspaceView | Accepted[Job]:
    """201 with its password or connection string, which is not shown again; with `async` 202 and a job, whose results
    have neither.

    That of a member who may only read changes nothing: it is for SQL that reads.
    """
    return _create(request, body, None, is_async=query.is_async or body.is_async)


def get_workspace(request: Request, workspace_id: str) -> WorkspaceView:
    with request.reading() as tx:
        return workspace_view(workspace_rows.get_workspace(tx, request.caller, workspace_id), place_of(request))


def delete_workspace(request: Request, workspace_id: str, query: AsyncQuery) -> Accepted[Job] | None:
    """Stop its engine, and delete it with everything in it; 204, or 202 with a job if requested."""
    with request.writing() as tx:
        row = workspace_rows.get_deletable(tx, request.caller, workspace_id)
        workspace_rows.forget_workspace(tx, request.caller, row)
        done = jobs.NewJob(operation="workspaceDrop", params={"workspaceId": row.id})
        job = jobs.record_done(tx, request.caller, done) if query.is_async else None
    request.commit()
    remove_engine(request.stack, row)
    return Accepted(accept(request, job)) if job else None


def list_configuration_workspaces(request: Request, component_id: str, config_id: str) -> list[WorkspaceView]:
    with request.reading() as tx:
        key = workspaces.get_key(tx, request.caller, component_id, config_id)
        rows = workspace_rows.list_of_configuration(tx, request.caller, key)
    return [workspace_view(row, place_of(request)) for row in rows]


def create_configuration_workspace(
    request: Request, component_id: str, config_id: str, query: AsyncQuery, body: NewWorkspace
) -> WorkspaceView | Accepted[Job]:
    """A workspace that is deleted with its configuration."""
    with request.reading() as tx:
        key = workspaces.get_key(tx, request.caller, component_id, config_id)
    return _create(request, body, key, is_async=query.is_async or body.is_async)


def _create(
    request: Request, body: NewWorkspace, key: ConfigurationKey | None, *, is_async: bool
) -> WorkspaceView | Accepted[Job]:
    """Nothing slow is done: the engine makes the database when it is first used. So the job has ended already."""
    with request.writing() as tx:
        row, password = workspaces.create_workspace(tx, request.caller, body, key)
        if not is_async:
            secret = _sign(request, tx, row) if row.is_of_files else password
            return workspace_view(row, place_of(request), secret)
        done = jobs.NewJob(operation="workspaceCreate", params=_shown(body))
        job = jobs.record_done(tx, request.caller, done, workspace_view(row, place_of(request)))
    return Accepted(accept(request, job))


def _shown(body: NewWorkspace) -> dict[str, object]:
    """What the job says of the request."""
    return {
        "backend": body.backend or BACKEND,
        "backendSize": body.backend_size or None,
        "loginType": body.login_type or workspaces.DEFAULT_LOGIN,
        "readOnlyStorageAccess": body.read_only_storage_access,
    }


def reset_password(request: Request, workspace_id: str) -> Password:
    """A new password, which is not shown again; of a workspace of files, a new connection string."""
    with request.writing() as tx:
        row = workspace_rows.get_workspace(tx, request.caller, workspace_id)
        if row.is_of_files:
            row = credentials.renew_connection(tx, request.caller, row)
            return Password(connection_string=_sign(request, tx, row))
        return Password(password=credentials.reset_password(tx, request.caller, workspace_id))


def set_public_key(request: Request, workspace_id: str, body: NewPublicKey) -> WorkspaceView:
    with request.writing() as tx:
        row = credentials.set_public_key(tx, request.caller, workspace_id, body.public_key)
    return workspace_view(row, place_of(request))


def set_named_public_key(request: Request, workspace_id: str, key_name: str, body: NewPublicKey) -> WorkspaceView:
    """Set the first or the second public key, `RSA_PUBLIC_KEY` or `RSA_PUBLIC_KEY_2`. The other one stays."""
    with request.writing() as tx:
        row = credentials.set_public_key(tx, request.caller, workspace_id, body.public_key, key_name)
    return workspace_view(row, place_of(request))


def create_credentials(request: Request, workspace_id: str, body: NewCredentials) -> WorkspaceView:  # noqa: ARG001
    """A user with a new key pair. The private key is not shown again."""
    with request.reading() as tx:
        workspace_rows.get_sql_workspace(tx, request.caller, workspace_id)
    pair = new_key_pair()
    with request.writing() as tx:
        workspace, row = credentials.create_credentials(tx, request.caller, workspace_id, pair.public)
    return credentials_view(workspace, place_of(request), row, pair.private)


def get_credentials(request: Request, workspace_id: str, credentials_id: str) -> WorkspaceView:
    """Return credentials without the private key."""
    with request.reading() as tx:
        workspace, row = credentials.get_credentials(tx, request.caller, workspace_id, credentials_id)
    return credentials_view(workspace, place_of(request), row)


def remove_credentials(request: Request, workspace_id: str, credentials_id: str) -> None:
    with request.writing() as tx:
        credentials.remove_credentials(tx, request.caller, workspace_id, credentials_id)


def _sign(request: Request, tx: Transaction, row: WorkspaceRow) -> str:
    """A connection string of a workspace of files."""
    access = Access.READ if row.is_read_only else Access.WRITE
    return Signer(tx, request.stack, request.caller).sign_connection(row, access, request.addresses.url_of(STORAGE))


def place_of(request: Request) -> Place:
    return Place(request.addresses.host_of(STORAGE), request.stack.settings.sql_statement_timeout)
