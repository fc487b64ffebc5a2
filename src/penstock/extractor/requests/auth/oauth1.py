"""OAuth 1.0: every request carries a signature of its method, address and parameters (RFC 5849, HMAC-SHA1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import HeaderValue, Message
from penstock.extractor.base.values import TYPE_NAMES, is_empty, to_text
from penstock.extractor.requests.auth.address import read_address
from penstock.extractor.requests.auth.method import Auth, AuthConfig, read_credentials
from penstock.extractor.requests.sending.query import parse_query
from penstock.foundation.outbound import oauth1

FORM = "application/x-www-form-urlencoded"


class OAuth1(Auth, frozen=True, kw_only=True):
    name: str = "oauth10"
    consumer_key: str
    consumer_secret: str
    token: str
    token_secret: str

    def signed(self, message: Message) -> Message:
        header = self.authorization(message, oauth1.new_nonce(), oauth1.timestamp())
        return message.with_headers({"Authorization": header})

    def authorization(self, message: Message, nonce: str, timestamp: int) -> str:
        """Returns the header; it is a pure function, so that tests can check a signature."""
        address = read_address(message.url)
        sent = [*_form(message), *_pairs(address.query)]
        return oauth1.make_header(self._keys, message.method, address.without_query, sent, nonce, timestamp)

    @property
    def secrets(self) -> list[str]:
        return [self.consumer_secret, self.token, self.token_secret]

    @property
    def _keys(self) -> oauth1.Keys:
        return oauth1.Keys(
            consumer_key=self.consumer_key,
            consumer_secret=self.consumer_secret,
            token=self.token,
            token_secret=self.token_secret,
        )


def read_oauth1(config: AuthConfig) -> OAuth1:
    credentials = read_credentials(config.authorization, "1.0")
    user = _user(credentials.data)
    for key in ("oauth_token", "oauth_token_secret"):
        if is_empty(user.get(key)):
            raise UserError(f"Missing 'oauth_api.credentials.#data.{key}' for OAuth 1.0 authorization.")
    return OAuth1(
        consumer_key=credentials.key,
        consumer_secret=credentials.secret,
        token=to_text(user["oauth_token"]),
        token_secret=to_text(user["oauth_token_secret"]),
    )


def _user(data: str) -> dict[str, Any]:
    try:
        user = decode(data.encode("utf-8", "replace")).document
    except NotJson:
        raise UserError("The OAuth #data is not a valid JSON.") from None
    if not isinstance(user, dict):
        kind = TYPE_NAMES[type(user)]
        raise UserError(f"Key 'oauth_api.credentials'.#data must be object, given '{kind}'.")
    return cast(dict[str, Any], user)


def _form(message: Message) -> Iterator[tuple[str, str]]:
    """Yields the parameters in the body, if it is a form."""
    types = [value for name, value in message.headers.items() if name.lower() == "content-type"]
    if message.body and types and _media_type(types[-1]) == FORM:
        yield from _pairs(message.body.decode("utf-8", "surrogateescape"))


def _media_type(value: HeaderValue) -> str:
    text = value if isinstance(value, str) else ", ".join(value)
    return text.partition(";")[0].strip().lower()


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    for name, value in parse_query(query).items():
        values = cast(list[Any], value) if isinstance(value, list) else [value]
        yield from ((name, to_text(item)) for item in values)
