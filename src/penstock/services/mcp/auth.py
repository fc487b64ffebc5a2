"""Whose request it is: a Storage token in its usual header, or as a bearer token, since many agents can send only that.

There is no other: a request without a token is refused, and nothing is done with a token of the stack.
"""

from __future__ import annotations

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.web.auth.bearer import bearer
from penstock.web.auth.scheme import FindCaller, Scheme
from penstock.web.auth.storage_token import storage_token


def storage_token_or_bearer(find_caller: FindCaller) -> Scheme:
    usual, as_bearer = storage_token(find_caller), bearer(find_caller)

    def find_credential(http: HttpRequest) -> str:
        return usual.find_credential(http) or as_bearer.find_credential(http)

    return msgspec.structs.replace(usual, find_credential=find_credential)
