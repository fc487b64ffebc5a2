"""OAuth 2.0: headers and query parameters made from the user's authorization, such as a bearer token; or a login that
exchanges a refresh token for an access token before the first request."""

from __future__ import annotations

import secrets
from typing import Any, cast

import msgspec

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, evaluate, flat
from penstock.extractor.base.http import Message
from penstock.extractor.base.values import as_map, is_empty, to_text
from penstock.extractor.requests.auth.address import request_contexts
from penstock.extractor.requests.auth.login import Login, read_login
from penstock.extractor.requests.auth.method import Auth, AuthConfig, read_credentials
from penstock.extractor.requests.auth.query import add_query
from penstock.extractor.requests.sending.message import header_values
from penstock.foundation import clock


class OAuth2(Auth, frozen=True, kw_only=True):
    name: str = "oauth20"
    client_id: str
    data: Any
    """The authorization: a text, or the decoded document if it is JSON."""
    headers: dict[str, Any]
    query: dict[str, Any]

    def signed(self, message: Message) -> Message:
        """Functions of headers and query see the same message and nonce."""
        contexts = self._contexts(message)
        headers = {name: evaluate(value, contexts) for name, value in self.headers.items()}
        return add_query(message, self.query, contexts).with_headers(header_values(headers))

    @property
    def secrets(self) -> list[str]:
        return [value for value in flat({"data": self.data}).values() if isinstance(value, str)]

    def _contexts(self, message: Message) -> Contexts:
        authorization = {
            "clientId": self.client_id,
            "nonce": secrets.token_hex(8),
            "timestamp": int(clock.now().timestamp()),
            "data": self.data,
        }
        return {**request_contexts(message), "authorization": flat(authorization)}


def read_oauth2(config: AuthConfig) -> OAuth2:
    credentials = read_credentials(config.authorization, "2.0")
    settings = as_map(config.api.get("authentication"))
    return OAuth2(
        client_id=credentials.key,
        data=_data(credentials.data, settings.get("format")),
        headers=as_map(settings.get("headers")),
        query=as_map(settings.get("query")),
    )


def _data(data: str, form: Any) -> Any:
    if is_empty(form) or form == "text":
        return data
    if form != "json":
        raise UserError(f"Unknown OAuth data format '{to_text(form)}'.")
    try:
        return decode(data.encode("utf-8", "replace")).document
    except NotJson as error:
        # The data is secret, so the message shows nothing of it.
        raise UserError(f"JSON decode error: {error.family}") from None


def read_oauth2_login(config: AuthConfig) -> Login:
    """Returns a login whose functions can also refer to the credentials of the application and of the user."""
    login = read_login(config)
    credentials = read_credentials(config.authorization, "2.0", end="")
    consumer = {"client_id": credentials.key, "client_secret": credentials.secret}
    user = flat(_user(credentials.data))
    return msgspec.structs.replace(
        login,
        name="oauth20.login",
        contexts={**login.contexts, "consumer": consumer, "user": user},
        other_secrets=[credentials.secret, *(value for value in user.values() if isinstance(value, str))],
    )


def _user(data: str) -> dict[str, Any]:
    try:
        user = decode(data.encode("utf-8", "replace")).document
    except NotJson:
        user = None
    if not isinstance(user, dict):
        raise UserError("The OAuth data is not a valid JSON")
    return cast(dict[str, Any], user)
