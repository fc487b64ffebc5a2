"""A secret in the path, for senders that can be given an address and nothing else, such as uploads of icons.

In OpenAPI it is a parameter like others, and not a security scheme.
"""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import FindCaller, Scheme


class MissingSecret(Unauthorized):
    def __init__(self) -> None:
        super().__init__("The address has no secret in its path. Use it as it was given to you.")


def path_secret(find_caller: FindCaller, parameter: str = "secret") -> Scheme:
    """`parameter` is the name that the secret has in the paths of the rows."""

    def find_secret(http: HttpRequest) -> str:
        return str(http.path_params.get(parameter, ""))

    return Scheme(
        name="path secret",
        find_credential=find_secret,
        explain_missing=lambda _http: MissingSecret(),
        find_caller=find_caller,
    )
