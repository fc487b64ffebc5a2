"""A token of the Manage API, in the header X-KBC-ManageApiToken; or one of a person, in the header Authorization."""

from __future__ import annotations

from penstock.foundation.callers import OF_OBJECTS, Right
from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import CheckObject, FindCaller, Scheme
from penstock.web.auth.storage_token import find_personal

MANAGE_TOKEN = "manage token"  # noqa: S105
"""The name of the scheme."""
HEADER = "X-KBC-ManageApiToken"
_KEY = HEADER.lower()
SUPER_SCOPE = "super"
"""The scope of manage tokens of the operator's programs that may do everything; others are those of services."""


class MissingManageToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__(f"Send a token of the Manage API in the header {HEADER}.")


def manage_token(find_caller: FindCaller, check_object: CheckObject | None = None) -> Scheme:
    return Scheme(
        name=MANAGE_TOKEN,
        find_credential=lambda http: http.headers.get(_KEY, "") or find_personal(http),
        explain_missing=lambda _http: MissingManageToken(),
        find_caller=find_caller,
        rights=frozenset({Right.PUBLIC, Right.TOKEN, Right.USER, Right.SUPER, *(OF_OBJECTS if check_object else ())}),
        takes_scopes=True,
        check_object=check_object,
        security={"type": "apiKey", "in": "header", "name": HEADER},
    )
