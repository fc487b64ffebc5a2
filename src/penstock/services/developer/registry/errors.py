"""Errors of the registry, as OCI Distribution writes them: a list, each with a code."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.responses import Response

from penstock.foundation.errors import AppError, Conflict, Damaged, Forbidden, Invalid, NotFound, TooLarge

API_VERSION = {"docker-distribution-api-version": "registry/2.0"}
CHALLENGE = {"www-authenticate": 'Basic realm="penstock"'}
_CODES = {
    401: "UNAUTHORIZED",
    403: "DENIED",
    404: "NAME_UNKNOWN",
    405: "UNSUPPORTED",
    413: "SIZE_INVALID",
    429: "TOOMANYREQUESTS",
}


def to_oci(error: AppError, exception_id: str) -> Response:
    code = error.code if error.code and error.code.isupper() else _CODES.get(error.status, "UNSUPPORTED")
    detail = {"exceptionId": exception_id}
    body = msgspec.json.encode({"errors": [{"code": code, "message": error.message, "detail": detail}]})
    headers = {"content-type": "application/json", **API_VERSION}
    if error.status == 401:
        headers |= CHALLENGE
    if error.retry_after:
        headers["retry-after"] = str(error.retry_after)
    return Response(body, error.status, headers)


class NameInvalid(Invalid):
    status = 422
    code = "NAME_INVALID"

    def __init__(self, part: str) -> None:
        super().__init__(
            f'"{part}" cannot be the name of an image: clients accept lower-case letters and digits, with single dots '
            "and dashes between them. Use an app and a vendor whose ids do not end with a dash."
        )


class RepositoryUnknown(NotFound):
    code = "NAME_UNKNOWN"

    def __init__(self, name: str) -> None:
        super().__init__(f'There is no repository "{name}". Create the app first: POST /vendors/VENDOR/apps')


class OtherRepository(Forbidden):
    code = "DENIED"

    def __init__(self, name: str) -> None:
        super().__init__(
            f'These credentials do not open "{name}". Get those of its app: GET /vendors/VENDOR/apps/APP/repository'
        )


class DigestInvalid(Invalid):
    code = "DIGEST_INVALID"


class TagInvalid(Invalid):
    code = "TAG_INVALID"

    def __init__(self, tag: str) -> None:
        super().__init__(f'"{tag[:150]}" is not a valid tag: up to 128 letters, digits, dots, dashes and underscores.')


class BlobUnknown(NotFound):
    code = "BLOB_UNKNOWN"

    def __init__(self, digest: str) -> None:
        super().__init__(f"The repository has no blob {digest}.")


class BlobDamaged(Damaged):
    code = "BLOB_UNKNOWN"

    def __init__(self, digest: str) -> None:
        super().__init__(f"The bytes of {digest} are missing in this stack. Restore them from a backup.")


class UploadUnknown(NotFound):
    code = "BLOB_UPLOAD_UNKNOWN"

    def __init__(self, upload_id: str) -> None:
        super().__init__(f'There is no upload "{upload_id[:100]}": it is complete, was cancelled or abandoned.')


class UploadBusy(Conflict):
    code = "BLOB_UPLOAD_INVALID"

    def __init__(self) -> None:
        super().__init__("Another request writes to this upload. Wait for it, or begin a new upload.")


class TooManyUploads(AppError):
    status = 429
    code = "TOOMANYREQUESTS"
    retry_after = 60

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} uploads to this repository are unfinished. Finish or cancel some of them first.")


class RepositoryFull(TooLarge):
    code = "DENIED"

    def __init__(self, megabytes: int) -> None:
        super().__init__(
            f"The images of one app may take {megabytes:,} MB. Delete tags that are not needed any more, "
            "or ask the operator to raise `image_app_megabytes`."
        )


class LayerTooLarge(TooLarge):
    code = "SIZE_INVALID"

    def __init__(self, megabytes: int) -> None:
        super().__init__(
            f"A layer may have {megabytes:,} MB. Split it, or ask the operator to raise `image_layer_megabytes`."
        )


class ManifestUnknown(NotFound):
    code = "MANIFEST_UNKNOWN"

    def __init__(self, reference: str) -> None:
        super().__init__(f'The repository has no image "{reference[:150]}".')


class ManifestInvalid(Invalid):
    code = "MANIFEST_INVALID"


class ManifestBlobUnknown(Invalid):
    code = "MANIFEST_BLOB_UNKNOWN"

    def __init__(self, digests: Sequence[str]) -> None:
        super().__init__(f"The manifest names what the repository does not have; push it first: {', '.join(digests)}")


class TooManyImages(Forbidden):
    code = "DENIED"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The repository has {limit:,} images or tags. Delete some of them first.")


class ImageInUse(Forbidden):
    code = "DENIED"

    def __init__(self, tag: str) -> None:
        super().__init__(
            f'The tag "{tag}" is that of the current or the approved version of the app. Deploy another tag first.'
        )
