"""A Storage token: its caller works in one project. Or a token of a person, with the number of the project in
X-KBC-ProjectId.

The first of these headers that a request has decides:

Authorization: Bearer TOKEN   a token of a person, or a Storage token, for programs that can send only this header
Authorization: TOKEN          a Storage token, without a word before it
X-StorageApi-Token: TOKEN     a Storage token

Another scheme in the header Authorization may be meant for a proxy before the stack, so it does not replace
X-StorageApi-Token.
"""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import STORAGE_TOKEN, Right
from penstock.foundation.errors import Unauthorized
from penstock.web.auth.bearer import find_bearer
from penstock.web.auth.scheme import ExplainMissing, FindCaller, Scheme

HEADER = "X-StorageApi-Token"
PROJECT_HEADER, PROJECT_CHARACTERS = "X-KBC-ProjectId", 20
PERSONAL = ("kbc_pat_", "kbc_at_")
"""What the tokens of people begin with: personal access tokens, and those that programs get when a user signs in."""
_KEY = HEADER.lower()


class MissingToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Access token must be set")


def storage_token(find_caller: FindCaller, explain_missing: ExplainMissing | None = None) -> Scheme:
    """`explain_missing` is for a service whose contract has another error for a request without a token."""
    return Scheme(
        name=STORAGE_TOKEN,
        find_credential=_find_token,
        explain_missing=explain_missing or (lambda _http: MissingToken()),
        find_caller=find_caller,
        rights=frozenset(right for right in Right if not right.is_of_manage_token),
        security={"type": "apiKey", "in": "header", "name": HEADER},
    )


def _find_token(http: HttpRequest) -> str:
    """`TOKEN PROJECT` for a token of a person, so that caches tell the projects apart that it opens."""
    token = find_bearer(http) or _find_plain(http)
    if not token.startswith(PERSONAL):
        return token
    return f"{token.partition(' ')[0]} {http.headers.get(PROJECT_HEADER, '')[:PROJECT_CHARACTERS]}"


def _find_plain(http: HttpRequest) -> str:
    """A token that is the whole value of a header."""
    authorization, token = http.headers.get("authorization", "").strip(), http.headers.get(_KEY, "")
    if authorization.lower() == "bearer":
        return token
    has_scheme = " " in authorization
    return (token or authorization) if has_scheme else (authorization or token)


def find_personal(http: HttpRequest) -> str:
    """A token of a person in the header `Authorization`, if there is one."""
    token = find_bearer(http)
    return token if token.startswith(PERSONAL) else ""


def split_personal(credential: str) -> tuple[str, str]:
    """The token of a person and the header with the project; the token is empty if this is a Storage token."""
    token, _, project = credential.partition(" ")
    return (token, project) if token.startswith(PERSONAL) else ("", "")
