"""Workspaces as stored, requested and returned: a database of its own for SQL beside the tables of the project, or a
container of files."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.storage.models import TokenRef, to_text

BACKEND = "snowflake"
"""The engine that this stack presents itself as."""
FILE_BACKEND = "abs"
"""The backend of a workspace of files, which is a container of the blob endpoint and has no engine."""
READER = "reader"
WAREHOUSE, ACCOUNT = "KEBOOLA_PROD", "penstock"
USER = "KEBOOLA_WORKSPACE_"
"""Before the id of the workspace, in the name of its user."""
SCHEMA_PREFIX = "WORKSPACE_"
"""Before the id of the workspace, in its name."""

Seconds = Annotated[int, msgspec.Meta(ge=0, le=7 * 24 * 3600)]
ShortText = Annotated[str, msgspec.Meta(max_length=255)]


class WorkspaceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace as stored. Of its password only a hash is kept, and of its key pair only the public key."""

    id: int
    project_id: int
    branch_id: int
    backend: str = BACKEND
    component: str | None
    configuration_id: str | None
    backend_size: str | None
    statement_timeout_seconds: int
    """0: the limit of the stack."""
    login_type: str
    public_key: str | None
    public_key_2: str | None = None
    password_hash: str | None
    """In a workspace of files it is part of what a connection string signs: a new one ends those before it."""
    read_only_storage_access: bool
    use_case: str
    created: datetime
    creator_id: int
    creator_description: str
    holder_id: int = 0
    """The token that was told the password, or the connection string; 0 if that is the creator."""
    holder_sign_in_id: int = 0
    """What they end with besides: the personal access token or the program that the holder used; 0 for others."""

    @property
    def schema(self) -> str:
        """Also the name of the workspace."""
        return f"{SCHEMA_PREFIX}{self.id}"

    @property
    def database(self) -> str:
        return f"KBC_{self.project_id}"

    @property
    def is_of_files(self) -> bool:
        return self.backend == FILE_BACKEND

    @property
    def container(self) -> str:
        """The container of a workspace of files."""
        return f"workspace-{self.project_id}-{self.id}"

    @property
    def is_read_only(self) -> bool:
        """Whether SQL in it changes nothing."""
        return self.use_case == READER

    @property
    def user(self) -> str:
        return f"{USER}{self.id}"


class CredentialsRow(msgspec.Struct, frozen=True, kw_only=True):
    """An additional key pair of a workspace."""

    id: int
    project_id: int
    workspace_id: int
    public_key: str
    created: datetime
    creator_id: int


class NewWorkspace(Wire, frozen=True):
    backend: ShortText = ""
    """`snowflake` for SQL, `abs` for files. Empty means `snowflake`."""
    backend_size: ShortText = ""
    """`xsmall`, `small`, `medium`, `large` or `xlarge`. It is stored and returned; all workspaces of a stack have the
    same limits."""
    statement_timeout_seconds: Seconds = 0
    """Seconds after which a statement is ended. 0 is the limit of the stack."""
    login_type: ShortText = ""
    """How programs sign in: `default` and `snowflake-legacy-service` with a password, `snowflake-person-keypair` and
    `snowflake-service-keypair` with a key; or `snowflake-person-sso` or `none`."""
    public_key: Annotated[str, msgspec.Meta(max_length=10_000)] = ""
    """Public key of the workspace in PEM or base64, for the login types with a key."""
    network_policy: ShortText = ""
    """`user`, `system` or empty. It is checked and has no effect."""
    read_only_storage_access: bool = True
    """Whether SQL in the workspace may read all tables of the project."""
    use_case: ShortText = ""
    """`normal`, or `reader` for a workspace whose SQL changes nothing."""
    is_async: bool = msgspec.field(default=False, name="async")
    """Whether the response is a job. The query parameter of this name means the same."""


class NewPublicKey(Wire, frozen=True):
    public_key: Annotated[str, msgspec.Meta(max_length=10_000)] = ""
    """The public key, in PEM or base64."""


class NewCredentials(Wire, frozen=True):
    """An empty object, or nothing."""


class CredentialsRef(Wire, frozen=True):
    id: int


class Connection(Wire, frozen=True):
    """How programs reach the workspace. Secrets are set only in the response that they were created in."""

    backend: str
    host: str
    region: str
    database: str | None
    schema: str
    warehouse: str | None
    user: str | None
    account: str | None
    role: str | None
    login_type: str
    sso_login_available: bool = False
    container: str | UnsetType = UNSET
    connection_string: str | UnsetType = UNSET
    password: str | UnsetType = UNSET
    private_key: str | UnsetType = UNSET
    credentials: CredentialsRef | UnsetType = UNSET


class WorkspaceView(Wire, frozen=True):
    id: int
    name: str
    type: str
    component: str | None
    configuration_id: str | None
    created: str
    backend_size: str | None
    statement_timeout_seconds: int
    creator_token: TokenRef
    read_only_storage_access: bool
    connection: Connection
    creator_user: dict[str, Any] | None = None
    platform_usage_type: str | None = None


class Password(Wire, frozen=True):
    """A new password, or the new connection string of a workspace of files."""

    password: str | UnsetType = UNSET
    connection_string: str | UnsetType = UNSET


class Place(msgspec.Struct, frozen=True):
    """What a response says of the stack: the host of the workspace, and how long a statement may take by default."""

    host: str
    statement_seconds: int


def workspace_view(row: WorkspaceRow, place: Place, secret: str | None = None) -> WorkspaceView:
    """`secret`: its password, or the connection string of a workspace of files."""
    connect = _file_connection if row.is_of_files else _connection
    return WorkspaceView(
        id=row.id,
        name=row.schema,
        type="file" if row.is_of_files else "table",
        component=row.component,
        configuration_id=row.configuration_id,
        created=to_text(row.created),
        backend_size=row.backend_size,
        statement_timeout_seconds=row.statement_timeout_seconds or place.statement_seconds,
        creator_token=TokenRef(row.creator_id, row.creator_description),
        read_only_storage_access=row.read_only_storage_access,
        connection=connect(row, place, UNSET if secret is None else secret),
    )


def credentials_view(
    row: WorkspaceRow, place: Place, credentials: CredentialsRow, private_key: str | None = None
) -> WorkspaceView:
    """The workspace, with the user of these credentials."""
    shown = workspace_view(row, place)
    connection = msgspec.structs.replace(
        shown.connection,
        user=f"{row.user}_QS_{credentials.id}",
        credentials=CredentialsRef(id=credentials.id),
        private_key=UNSET if private_key is None else private_key,
    )
    return msgspec.structs.replace(shown, connection=connection)


def _connection(row: WorkspaceRow, place: Place, password: str | UnsetType) -> Connection:
    return Connection(
        backend=BACKEND,
        host=place.host,
        region="local",
        database=row.database,
        schema=row.schema,
        warehouse=WAREHOUSE,
        user=row.user,
        account=ACCOUNT,
        role=row.user,
        login_type=row.login_type,
        password=password,
    )


def _file_connection(row: WorkspaceRow, place: Place, connection_string: str | UnsetType) -> Connection:
    return Connection(
        backend=FILE_BACKEND,
        host=place.host,
        region="local",
        database=None,
        schema=row.schema,
        warehouse=None,
        user=None,
        account=None,
        role=None,
        login_type=row.login_type,
        container=row.container,
        connection_string=connection_string,
    )
