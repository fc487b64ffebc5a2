"""What can go wrong with blobs, by name."""

from __future__ import annotations

from penstock.foundation.errors import AppError


class BlobError(AppError):
    """What goes wrong at the blob endpoint; codes are those of its protocol."""


class AuthenticationFailed(BlobError):
    status, code = 403, "AuthenticationFailed"

    def __init__(self) -> None:
        super().__init__("The signature of this address is missing, wrong, or has expired. Ask for the file again.")


class MayNotWrite(BlobError):
    status, code = 403, "AuthorizationPermissionMismatch"

    def __init__(self) -> None:
        super().__init__("The signature of this address is for reading only.")


class BlobNotFound(BlobError):
    status, code = 404, "BlobNotFound"

    def __init__(self) -> None:
        super().__init__("The specified blob does not exist.")


class BlobExists(BlobError):
    status, code = 409, "BlobAlreadyExists"

    def __init__(self) -> None:
        super().__init__("The specified blob already exists.")


class ConditionNotMet(BlobError):
    status, code = 412, "ConditionNotMet"

    def __init__(self) -> None:
        super().__init__("The blob is not the one that the request is about: it has changed, or is not there.")


class InvalidRange(BlobError):
    status, code = 416, "InvalidRange"

    def __init__(self, size: int) -> None:
        super().__init__("The range begins behind the end of the blob.")
        self.size = size


class InvalidBlockList(BlobError):
    status, code = 400, "InvalidBlockList"

    def __init__(self, block_id: str) -> None:
        super().__init__(f'The block "{block_id}" was not uploaded, or not kept until its list came.')


class InvalidBlobRequest(BlobError):
    status = 400

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
