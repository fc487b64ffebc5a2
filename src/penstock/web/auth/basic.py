"""A user name and a password in the header `Authorization`, as RFC 7617 says. Only the password proves anything: it is
a credential that a service has issued, and the name is the same for all."""

from __future__ import annotations

import base64
import binascii

from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Unauthorized
from penstock.web.auth.scheme import FindCaller, Scheme

MAX_CHARACTERS = 8_000


class MissingPassword(Unauthorized):
    def __init__(self, hint: str) -> None:
        super().__init__(f"Sign in with a user name and a password. {hint}")


def basic(name: str, find_caller: FindCaller, hint: str) -> Scheme:
    """`hint` says where the password comes from."""
    return Scheme(
        name=name,
        find_credential=find_password,
        explain_missing=lambda _http: MissingPassword(hint),
        find_caller=find_caller,
        security={"type": "http", "scheme": "basic"},
    )


def find_password(http: HttpRequest) -> str:
    """Empty if there is none, or what is there cannot be read."""
    word, _, text = http.headers.get("authorization", "").partition(" ")
    if word.lower() != "basic" or len(text) > MAX_CHARACTERS:
        return ""
    try:
        return base64.b64decode(text.strip(), validate=True).decode().partition(":")[2].strip()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
