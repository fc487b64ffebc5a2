"""A token in the header `Authorization: Bearer …`: a personal access token, or a signed one."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import FindCaller, Scheme


class MissingBearer(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Send a token in the header `Authorization: Bearer TOKEN`.")


def bearer(find_caller: FindCaller) -> Scheme:
    return Scheme(
        name="bearer",
        find_credential=find_bearer,
        explain_missing=lambda _http: MissingBearer(),
        find_caller=find_caller,
        security={"type": "http", "scheme": "bearer"},
    )


def find_bearer(http: HttpRequest) -> str:
    scheme, _, token = http.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
