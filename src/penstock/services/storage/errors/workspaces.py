"""Errors of workspaces."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation.errors import Forbidden, Invalid, NotFound, Unauthorized


class WorkspaceNotFound(NotFound):
    code = "workspace.workspaceNotFound"

    def __init__(self, workspace_id: str) -> None:
        super().__init__(f'Workspace "{workspace_id}" not found')


class InvalidWorkspace(Invalid):
    code = "workspace.validation"


class BackendNotSupported(Invalid):
    code = "workspace.backendNotSupported"

    def __init__(self, backend: str, supported: str, of_files: str) -> None:
        super().__init__(
            f'The backend "{backend}" is not available in this stack; use "{supported}", or leave `backend` out. '
            f'A workspace of files has "{of_files}". Nothing was created.'
        )


class UnsupportedBackendSize(Invalid):
    code = "workspace.unsupportedBackendSize"

    def __init__(self, size: str, backend: str, sizes: Sequence[str]) -> None:
        super().__init__(
            f'The backend size "{size}" is not available for the backend "{backend}"; with "snowflake" it is one of '
            f"{', '.join(sizes)}. Nothing was created."
        )


class NoPasswordReset(Invalid):
    code = "workspace.resetPasswordNotSupported"

    def __init__(self, login_type: str) -> None:
        super().__init__(
            f'A workspace with the login type "{login_type}" has no password. Create credentials, or set a public key.'
        )


class InvalidPublicKey(Invalid):
    code = "workspace.invalidPublicKey"

    def __init__(self) -> None:
        super().__init__(
            "`publicKey` is not an RSA public key. Send it as PEM text, as `openssl rsa -pubout` writes it."
        )


class UnknownPublicKeyName(Invalid):
    code = "workspace.invalidPublicKeyName"

    def __init__(self, name: str, allowed: Sequence[str]) -> None:
        super().__init__(f'"{name}" is not a valid name of a public key. It is one of: {", ".join(allowed)}.')


class LoginFailed(Unauthorized):
    """The same for an unknown user and for a wrong password."""

    code = "workspace.loginFailed"

    def __init__(self) -> None:
        super().__init__("The user or the password of the workspace is wrong.")


class HolderGone(Unauthorized):
    code = "workspace.passwordEnded"

    def __init__(self) -> None:
        super().__init__(
            "The password of the workspace has ended with the personal access token, or the program, that it was made "
            "with. Reset it in the console."
        )


class CredentialsNotFound(NotFound):
    code = "workspace.credentialsNotFound"

    def __init__(self, credentials_id: str) -> None:
        super().__init__(f'Credentials "{credentials_id}" not found')


class NoInput(Invalid):
    code = "workspace.loadRequestInputRequired"

    def __init__(self) -> None:
        super().__init__("Name at least one table to load in `input`, each with its `source` and `destination`.")


class InvalidLoad(Invalid):
    code = "workspace.loadRequestLogicalException"


class FileLoad(Invalid):
    code = "workspace.loadRequestBadInputType"

    def __init__(self) -> None:
        super().__init__(
            '`dataFileId` is for workspaces of files, which are created with the backend "abs". Create a table from '
            "the file with `tables-async`, and load the table."
        )


class TableLoad(Invalid):
    code = "workspace.loadRequestBadInputType"

    def __init__(self, schema: str) -> None:
        super().__init__(
            f'The workspace "{schema}" is one of files: give each entry of `input` a `dataFileId` and no `source`. '
            'Tables are loaded into a workspace with the backend "snowflake".'
        )


class WorkspaceOfFiles(Invalid):
    code = "workspace.notSupportedForFileWorkspace"

    def __init__(self, schema: str) -> None:
        super().__init__(
            f'The workspace "{schema}" is one of files: it has no tables, no SQL and no keys. Use its connection '
            'string, or create a workspace with the backend "snowflake".'
        )


class DuplicateDestination(Invalid):
    code = "workspace.duplicateDestination"

    def __init__(self, name: str) -> None:
        super().__init__(f'The destination "{name}" is used by more than one table of `input`; give each its own.')


class DuplicateTable(Invalid):
    code = "workspace.duplicateTable"

    def __init__(self, name: str) -> None:
        super().__init__(
            f'The workspace already has a table "{name}". Load it with `overwrite` or `incremental`, choose another '
            "`destination`, or load without `preserve`, which empties the workspace first."
        )


class SourceNotFound(NotFound):
    code = "workspace.sourceNotFound"

    def __init__(self, table_id: str) -> None:
        super().__init__(f'Table "{table_id}" not found')


class SourceDenied(Forbidden):
    code = "workspace.tableAccessDenied"

    def __init__(self, table_id: str) -> None:
        super().__init__(f'You don\'t have access to table "{table_id}".')


class ObjectNotFound(NotFound):
    code = "workspace.tableNotFound"

    def __init__(self, name: str, schema: str) -> None:
        super().__init__(f'There is no table "{name}" in the workspace "{schema}".')
