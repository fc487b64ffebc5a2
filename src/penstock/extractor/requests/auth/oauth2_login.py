"""OAuth 2.0 with a login: a refresh token is exchanged for an access token before the first request."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import flat
from penstock.extractor.requests.auth.credentials import read_credentials
from penstock.extractor.requests.auth.login import Login, read_login
from penstock.extractor.requests.auth.method import Given


def read_oauth2_login(given: Given) -> Login:
    """A login whose functions can also refer to the credentials of the application and of the user."""
    login = read_login(given)
    credentials = read_credentials(given.authorization, "2.0", end="")
    consumer = {"client_id": credentials.key, "client_secret": credentials.secret}
    user = flat(_user(credentials.data))
    return msgspec.structs.replace(
        login,
        name="oauth20.login",
        contexts={**login.contexts, "consumer": consumer, "user": user},
        known=[credentials.secret, *(value for value in user.values() if isinstance(value, str))],
    )


def _user(data: str) -> dict[str, Any]:
    try:
        user = decode(data.encode("utf-8", "replace")).document
    except NotJson:
        user = None
    if not isinstance(user, dict):
        raise UserError("The OAuth data is not a valid JSON")
    return cast(dict[str, Any], user)
