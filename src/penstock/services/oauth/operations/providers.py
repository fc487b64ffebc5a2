"""Requests to providers: through the outbound gate, bounded in time and size, and without following redirects, which
could carry a secret to another host."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import urlencode

from penstock.foundation.outbound import OutboundError, Policy, Response, oauth1, send_once
from penstock.foundation.outbound.urls import read_target
from penstock.foundation.secrets import is_cipher
from penstock.services.oauth.errors import ProviderFailed, ProviderRefused
from penstock.services.oauth.models.authorizations import Application
from penstock.services.oauth.operations.responses import read_fields, read_form, read_object

SECONDS, CONNECT_SECONDS = 20.0, 10.0
MAX_BYTES = 1 << 17
EMPTY = ("{}", "[]", "null", '""')
FORM = "application/x-www-form-urlencoded"
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_TEMPORARY = (408, 429)


class RequestToken(NamedTuple):
    token: str
    secret: str


async def exchange_code(
    policy: Policy, token_url: str, key: str, secret: str, code: str, redirect_uri: str, verifier: str
) -> str:
    """OAuth 2.0: what the provider returns for the code of a user."""
    fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
    fields |= {"client_id": key, "client_secret": secret}
    return await _ask_for_token(policy, token_url, fields | ({"code_verifier": verifier} if verifier else {}))


async def refresh(policy: Policy, token_url: str, key: str, secret: str, refresh_token: str) -> str:
    """OAuth 2.0: what the provider returns for a refresh token, which has an access token."""
    fields = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    text = await _ask_for_token(policy, token_url, fields | {"client_id": key, "client_secret": secret})
    if not _has_token(read_fields(text)):
        raise ProviderFailed(f"{read_target(token_url).host} did not respond with an access token.")
    return text


async def request_token(policy: Policy, application: Application, redirect_uri: str) -> RequestToken:
    """OAuth 1.0: a token that the user is asked to authorize."""
    keys = oauth1.Keys(consumer_key=application.key, consumer_secret=application.secret)
    url = application.request_token_url
    return _read_pair(await _post_signed(policy, url, keys, oauth_callback=redirect_uri), url)


async def exchange_verifier(policy: Policy, token_url: str, keys: oauth1.Keys, verifier: str) -> dict[str, str]:
    """OAuth 1.0: the fields that the provider returns for a token that the user has authorized."""
    text = await _post_signed(policy, token_url, keys, oauth_verifier=verifier)
    _read_pair(text, token_url)
    return read_form(text)


async def _ask_for_token(policy: Policy, url: str, fields: dict[str, str]) -> str:
    """Any text but an error: where in it the token is, the component knows."""
    text = await _post(policy, url, {"Content-Type": FORM, "Accept": "application/json"}, urlencode(fields).encode())
    found, host = read_fields(text), read_target(url).host
    # One large provider reports errors with the status 200.
    if found.get("error") and not _has_token(found):
        raise ProviderRefused(host, to_word(found["error"]))
    if text.strip() in EMPTY:
        raise ProviderFailed(f"{host} responded with nothing.")
    # It would be stored as it is, and decrypted: a custom provider must not choose what.
    if is_cipher(text):
        raise ProviderFailed(f"{host} responded with an encrypted value.")
    return text


def _has_token(fields: dict[str, Any]) -> bool:
    token = fields.get("access_token")
    return isinstance(token, str) and bool(token)


async def _post_signed(policy: Policy, url: str, keys: oauth1.Keys, **more: str) -> str:
    target = read_target(url).url
    address, sent = str(target.with_query(None)), list(target.query.items())
    header = oauth1.make_header(keys, "POST", address, sent, oauth1.new_nonce(), oauth1.timestamp(), **more)
    return await _post(policy, url, {"Authorization": header}, b"")


async def _post(policy: Policy, url: str, headers: dict[str, str], body: bytes) -> str:
    host = read_target(url).host
    try:
        response = await send_once(
            policy,
            "POST",
            url,
            headers=headers,
            body=body,
            seconds=SECONDS,
            connect_seconds=CONNECT_SECONDS,
            max_bytes=MAX_BYTES,
        )
    except OutboundError as error:
        raise ProviderFailed(f"The provider of the authorization cannot be called. {error}") from error
    return _read_text(response, host)


def _read_text(response: Response, host: str) -> str:
    if response.status >= 500 or response.status in _TEMPORARY:
        raise ProviderFailed(f"{host} responded with the status {response.status}. Try again later.")
    try:
        text = response.body.decode()
    except UnicodeDecodeError as error:
        raise ProviderFailed(f"{host} did not respond with text.") from error
    if response.status >= 300:
        raise ProviderRefused(host, f"status {response.status}, {to_word(read_object(text).get('error'))}")
    if not text.strip():
        raise ProviderFailed(f"{host} responded with nothing.")
    return text


def _read_pair(text: str, url: str) -> RequestToken:
    fields = read_form(text)
    if not fields.get("oauth_token") or "oauth_token_secret" not in fields:
        raise ProviderFailed(f"{read_target(url).host} did not respond with a token of OAuth 1.0.")
    return RequestToken(fields["oauth_token"], fields["oauth_token_secret"])


def to_word(reason: object) -> str:
    """The error code of a provider. Anything longer may be a text that repeats what was sent."""
    return reason if isinstance(reason, str) and _WORD.fullmatch(reason) else "no reason given"
