"""Errors of Importer, and their form: `message` has the message, and `error` as on the other hosts."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import AppError, Conflict, Unauthorized
from penstock.web.auth.storage_token import HEADER
from penstock.web.bodies import BadRequest


class TokenMissing(Unauthorized):
    """A field that is missing, for clients of this host, and so a 400."""

    status = 400

    def __init__(self) -> None:
        super().__init__(f"{HEADER} header is required")


class DataMissing(BadRequest):
    def __init__(self) -> None:
        super().__init__("There is no file: send it as the part `data` of a multipart/form-data body.", "data")


class NameMissing(BadRequest):
    def __init__(self) -> None:
        super().__init__("A file needs a name: send it as `name`, or as the file name of the part `data`.", "name")


class NotAForm(BadRequest):
    def __init__(self, content_type: str) -> None:
        super().__init__(f'The Content-Type "{content_type[:100]}" is not supported: send multipart/form-data.')


class StillLoading(Conflict):
    """Not a 5xx, after which clients would send the rows again."""

    def __init__(self, job_id: int, seconds: int) -> None:
        super().__init__(
            f"The load takes longer than {seconds:,} seconds and continues as job {job_id} of Storage: look there how "
            "it ends."
        )


def explain_missing_token(_http: HttpRequest) -> TokenMissing:
    return TokenMissing()


def with_message(error: AppError) -> dict[str, Any]:
    return {"message": error.message, "error": error.message, "code": error.status, "status": "error"}
