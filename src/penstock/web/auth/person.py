"""A person who has signed in: an access token in the header `Authorization`, or the session of a browser."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Unauthorized
from penstock.web.auth.bearer import find_bearer
from penstock.web.auth.scheme import FindCaller, Scheme
from penstock.web.auth.session import find_session

PERSON = "person"
"""The name of the scheme."""


class NotSignedIn(Unauthorized):
    def __init__(self) -> None:
        super().__init__(
            "You are not signed in, or the request comes from a page of another site. Send an access token in the "
            "header `Authorization: Bearer TOKEN`, or sign in with the browser."
        )


def person(find_caller: FindCaller, name: str = PERSON) -> Scheme:
    """`name` tells schemes apart that accept different tokens."""
    return Scheme(
        name=name,
        find_credential=_find_token,
        explain_missing=lambda _http: NotSignedIn(),
        find_caller=find_caller,
        security={"type": "http", "scheme": "bearer"},
    )


def _find_token(http: HttpRequest) -> str:
    return find_bearer(http) or find_session(http)
