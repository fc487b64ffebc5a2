"""What is asked of the provider: its addresses, its keys, and tokens for a code. Every request goes through the
outbound gate, with the provider's host allowed: the operator chose it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

import msgspec

from penstock.foundation.outbound import OutboundError, Policy, send_once
from penstock.foundation.settings import Settings
from penstock.foundation.stack import Stack
from penstock.services.login.errors import SingleSignOnFailed, SingleSignOnOff

SECONDS, MAX_BYTES = 20.0, 1 << 20
FORM = "application/x-www-form-urlencoded"


class Provider(msgspec.Struct, frozen=True):
    """As its discovery document describes it."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""


class Granted(msgspec.Struct, frozen=True):
    id_token: str
    access_token: str = ""


def issuer_of(settings: Settings) -> str:
    if not settings.oidc_issuer or not settings.oidc_client_id:
        raise SingleSignOnOff
    return settings.oidc_issuer


async def discover(stack: Stack) -> Provider:
    issuer = issuer_of(stack.settings)
    document = await _get(stack, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    try:
        found = msgspec.convert(document, Provider)
    except msgspec.ValidationError as error:
        raise SingleSignOnFailed("the discovery document of the provider is incomplete") from error
    if found.issuer.rstrip("/") != issuer.rstrip("/"):
        raise SingleSignOnFailed("the provider calls itself by another name than `oidc_issuer`")
    for address in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
        if urlsplit(address).scheme not in ("https", urlsplit(issuer).scheme):
            raise SingleSignOnFailed("an address of the provider is not https")
    return found


async def fetch_keys(stack: Stack, provider: Provider) -> dict[str, Any]:
    return await _get(stack, provider.jwks_uri)


async def fetch_claims(stack: Stack, provider: Provider, access_token: str) -> dict[str, Any]:
    """What the provider knows of the user, if it does not say so in the id token."""
    return await _get(stack, provider.userinfo_endpoint, {"Authorization": f"Bearer {access_token}"})


async def exchange(stack: Stack, provider: Provider, code: str, verifier: str, redirect_uri: str) -> Granted:
    settings = stack.settings
    fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
    fields |= {"client_id": settings.oidc_client_id or "", "code_verifier": verifier}
    if secret := _read_secret(settings):
        fields["client_secret"] = secret
    headers = {"Content-Type": FORM, "Accept": "application/json"}
    document = await _send(stack, "POST", provider.token_endpoint, headers, urlencode(fields).encode())
    try:
        return msgspec.convert(document, Granted)
    except msgspec.ValidationError as error:
        raise SingleSignOnFailed("the provider returned no id token") from error


def _read_secret(settings: Settings) -> str:
    if settings.oidc_client_secret_file:
        return Path(settings.oidc_client_secret_file).expanduser().read_text().strip()
    return settings.oidc_client_secret or ""


async def _get(stack: Stack, url: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    return await _send(stack, "GET", url, {"Accept": "application/json", **(headers or {})}, b"")


async def _send(stack: Stack, method: str, url: str, headers: dict[str, str], body: bytes) -> dict[str, Any]:
    try:
        response = await send_once(
            _policy(stack), method, url, headers=headers, body=body, seconds=SECONDS, max_bytes=MAX_BYTES
        )
    except OutboundError as error:
        raise SingleSignOnFailed(f"the provider cannot be reached ({error})") from error
    try:
        document = msgspec.json.decode(response.body)
    except msgspec.DecodeError:
        document = None
    if response.status != 200 or not isinstance(document, dict):
        raise SingleSignOnFailed(f"the provider responded with the status {response.status}")
    return cast(dict[str, Any], document)


def _policy(stack: Stack) -> Policy:
    host = urlsplit(issuer_of(stack.settings)).hostname or ""
    return msgspec.structs.replace(stack.outbound, allow=(*stack.outbound.allow, host))
