"""Errors of the blob endpoint."""

from __future__ import annotations

from penstock.foundation.errors import AppError


class BlobError(AppError):
    """An error of the blob endpoint; codes are those of its protocol."""


class AuthenticationFailed(BlobError):
    status, code = 403, "AuthenticationFailed"

    def __init__(self) -> None:
        super().__init__(
            "The signature of this address is missing, wrong, or has expired: it expires with the token that "
            "requested it. Request the file again."
        )


class PermissionMissing(BlobError):
    status, code = 403, "AuthorizationPermissionMismatch"

    def __init__(self, permission: str) -> None:
        super().__init__(
            f'The signature of this address does not permit this: its `sp` has no "{permission}", or its token may '
            "only read."
        )


class BlobNotFound(BlobError):
    status, code = 404, "BlobNotFound"

    def __init__(self) -> None:
        super().__init__("The specified blob does not exist.")


class ContainerNotFound(BlobError):
    status, code = 404, "ContainerNotFound"

    def __init__(self) -> None:
        super().__init__("The specified container does not exist.")


class BlobExists(BlobError):
    status, code = 409, "BlobAlreadyExists"

    def __init__(self) -> None:
        super().__init__("The specified blob already exists.")


class ConditionNotMet(BlobError):
    status, code = 412, "ConditionNotMet"

    def __init__(self) -> None:
        super().__init__("The blob does not meet the condition of the request: it has changed, or does not exist.")


class SourceConditionNotMet(BlobError):
    status, code = 412, "SourceConditionNotMet"

    def __init__(self) -> None:
        super().__init__("The source of the copy does not meet the condition of the request.")


class CopySourceRefused(BlobError):
    status, code = 403, "CannotVerifyCopySource"

    def __init__(self) -> None:
        super().__init__(
            "The address of the copy's source has no valid signature of this stack. Ask for its file again, and use "
            "the address with the signature."
        )


class CopySourceNotFound(BlobError):
    status, code = 404, "CannotVerifyCopySource"

    def __init__(self) -> None:
        super().__init__("The source of the copy does not exist: The specified blob does not exist.")


class ForeignCopySource(BlobError):
    status, code = 400, "InvalidHeaderValue"

    def __init__(self) -> None:
        super().__init__(
            "x-ms-copy-source is not the address of a blob of this stack. Blobs outside this stack cannot be copied: "
            "download them, and upload their bytes."
        )


class InvalidRange(BlobError):
    status, code = 416, "InvalidRange"

    def __init__(self, size: int) -> None:
        super().__init__("The range begins after the end of the blob.")
        self.size = size


class InvalidBlockList(BlobError):
    status, code = 400, "InvalidBlockList"

    def __init__(self, block_id: str) -> None:
        super().__init__(f'The block "{block_id}" was not uploaded, or was removed before its block list arrived.')


class InvalidBlobRequest(BlobError):
    status = 400

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
