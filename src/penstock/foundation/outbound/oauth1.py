"""OAuth 1.0 signatures (RFC 5849, HMAC-SHA1): of requests of the extractor, and of the OAuth broker."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Iterable
from urllib.parse import quote

import msgspec

from penstock.foundation import clock

Pairs = Iterable[tuple[str, str]]


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    """Of an application and, once there is one, of a token that it was given."""

    consumer_key: str
    consumer_secret: str
    token: str = ""
    token_secret: str = ""


def new_nonce() -> str:
    return secrets.token_hex(20)


def timestamp() -> int:
    return int(clock.now().timestamp())


def make_header(keys: Keys, method: str, address: str, sent: Pairs, nonce: str, seconds: int, **more: str) -> str:
    """The header `Authorization`. `address` has no query; `sent` are the parameters of the query and of a form.

    `more` are other `oauth_` parameters. A pure function, so that tests can check a signature.
    """
    params = {
        "oauth_consumer_key": keys.consumer_key,
        "oauth_nonce": nonce,
        "oauth_signature_method": "HMAC-SHA1",
        "oauth_timestamp": str(seconds),
        "oauth_version": "1.0",
        **({"oauth_token": keys.token} if keys.token else {}),
        **more,
    }
    params["oauth_signature"] = _sign(keys, _base_string(method, address, [*params.items(), *sent]))
    return "OAuth " + ", ".join(f'{key}="{encode(params[key])}"' for key in sorted(params))


def encode(text: str) -> str:
    """Percent-encoded, all but letters, digits and `-_.~`."""
    return quote(text, safe="", errors="surrogateescape")


def _base_string(method: str, address: str, pairs: Pairs) -> str:
    """Parameters are sorted in their encoded form, by name and then by value."""
    whole = "&".join(f"{name}={value}" for name, value in sorted((encode(name), encode(text)) for name, text in pairs))
    return "&".join((method.upper(), encode(address), encode(whole)))


def _sign(keys: Keys, base: str) -> str:
    key = f"{encode(keys.consumer_secret)}&{encode(keys.token_secret)}"
    return base64.b64encode(hmac.digest(key.encode(), base.encode(), "sha1")).decode()
