"""A Storage token, in the header X-StorageApi-Token: its caller works in one project."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import STORAGE_TOKEN, Right
from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import ExplainMissing, FindCaller, Scheme

HEADER = "X-StorageApi-Token"
PROJECT_HEADER, PROJECT_CHARACTERS = "X-KBC-ProjectId", 20
PERSONAL = ("kbc_pat_", "kbc_at_")
"""What personal access tokens begin with, as management services issue them."""
_KEY = HEADER.lower()


class MissingToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Access token must be set")


class PersonalTokenNotIssued(Unauthorized):
    """Clients send one with the number of the project that they want to open."""

    code = "storage.tokenInvalid"

    def __init__(self, project: str) -> None:
        wanted = f"the project {project}" if project.isdecimal() else "a project"
        problem = "" if project.isdecimal() else f" The header {PROJECT_HEADER} must hold the number of the project."
        super().__init__(
            f"This stack does not issue personal access tokens yet, so that one cannot open {wanted}. "
            f"Send a Storage token of the project in the header {HEADER}.{problem}"
        )


def storage_token(find_caller: FindCaller, explain_missing: ExplainMissing | None = None) -> Scheme:
    """`explain_missing` is for a service whose contract has another error for a request without a token."""
    return Scheme(
        name=STORAGE_TOKEN,
        find_credential=_find_token,
        explain_missing=explain_missing or _explain_missing,
        find_caller=find_caller,
        rights=frozenset(right for right in Right if not right.is_of_manage_token),
        security={"type": "apiKey", "in": "header", "name": HEADER},
    )


def _find_token(http: HttpRequest) -> str:
    return http.headers.get(_KEY, "")


def _explain_missing(http: HttpRequest) -> Unauthorized:
    scheme, _, token = http.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip().startswith(PERSONAL):
        return PersonalTokenNotIssued(http.headers.get(PROJECT_HEADER, "")[:PROJECT_CHARACTERS])
    return MissingToken()
