"""A JWT of the developer portal: the header `Authorization` holds it verbatim, without a word such as Bearer.

A token of a person has the word, as at every service.
"""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import Right, ServiceRight
from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import FindCaller, Scheme
from penstock.web.auth.storage_token import find_personal

DEVELOPER_TOKEN = "developer token"  # noqa: S105
"""The name of the scheme."""
REFRESH_TOKEN = "developer refresh token"  # noqa: S105


class MissingDeveloperToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__(
            "Send the token of POST /auth/login in the header `Authorization`, without `Bearer`; or a personal access "
            "token, with it."
        )


def developer_token(find_caller: FindCaller, *rights: ServiceRight, name: str = DEVELOPER_TOKEN) -> Scheme:
    return Scheme(
        name=name,
        find_credential=_find_token,
        explain_missing=lambda _http: MissingDeveloperToken(),
        find_caller=find_caller,
        rights=frozenset({Right.PUBLIC, Right.TOKEN, *rights}),
        security={"type": "apiKey", "in": "header", "name": "Authorization"},
    )


def _find_token(http: HttpRequest) -> str:
    return find_personal(http) or http.headers.get("authorization", "").strip()
