"""A token of the Manage API, in the header X-KBC-ManageApiToken."""

from __future__ import annotations

from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import FindCaller, Scheme

HEADER = "X-KBC-ManageApiToken"
_KEY = HEADER.lower()


class MissingManageToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__(f"Send a token of the Manage API in the header {HEADER}.")


def manage_token(find_caller: FindCaller) -> Scheme:
    return Scheme(
        name="manage token",
        find_credential=lambda http: http.headers.get(_KEY, ""),
        explain_missing=lambda _http: MissingManageToken(),
        find_caller=find_caller,
        security={"type": "apiKey", "in": "header", "name": HEADER},
    )
