"""Rows for programs that register themselves: what the server offers, registration, tokens and their end."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.login.attempts import begin_registration
from penstock.services.login.errors import GrantError
from penstock.services.login.oauth import clients, grants
from penstock.services.login.oauth.models import (
    NewClient,
    RegisteredClient,
    Revocation,
    ServerMetadata,
    TokenRequest,
    Tokens,
)
from penstock.services.login.oauth.requests import check_resource
from penstock.services.login.routes.browsers import FORM_BYTES
from penstock.web.bodies import BadRequest, parse_body, read_body, to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.small_pages import PRIVATE
from penstock.web.streaming import on_disk

T = TypeVar("T", bound=msgspec.Struct)
METADATA = "/.well-known/oauth-authorization-server"
OF_STANDARDS: dict[str, Any] = {"needs": Right.PUBLIC, "is_documented": False}


def routes() -> list[Route]:
    return [
        get(METADATA, describe, **OF_STANDARDS),
        post("/oauth/register", register, **OF_STANDARDS, status=201),
        post("/oauth/token", exchange, **OF_STANDARDS),
        post("/oauth/revoke", revoke, **OF_STANDARDS),
    ]


def describe(request: Request) -> ServerMetadata:
    """What this authorization server offers, and where (RFC 8414)."""
    issuer = find_issuer(request)
    return ServerMetadata(
        issuer=issuer,
        authorization_endpoint=f"{issuer}/oauth/authorize",
        token_endpoint=f"{issuer}/oauth/token",
        registration_endpoint=f"{issuer}/oauth/register",
        revocation_endpoint=f"{issuer}/oauth/revoke",
    )


def find_issuer(request: Request) -> str:
    """The connection host: people have their sessions there."""
    return request.addresses.url_of(STORAGE)


async def register(request: Request, http: HttpRequest) -> Response:
    """Register a program (RFC 7591), which has no secret."""
    await on_disk(begin_registration, request.stack, request.identity)
    try:
        form = await _read(request, http, NewClient)
    except BadRequest as error:
        raise GrantError("invalid_client_metadata", error.message) from error
    return _to_json(await on_disk(_register, request, form), 201)


def _register(request: Request, form: NewClient) -> RegisteredClient:
    with request.writing() as tx:
        return clients.register(tx, request.identity, form, request.stack.settings.login_redirects)


async def exchange(request: Request, http: HttpRequest) -> Response:
    """Tokens for a code, or for a refresh token."""
    form = await _read(request, http, TokenRequest)
    return _to_json(await on_disk(_exchange, request, form))


def _exchange(request: Request, form: TokenRequest) -> Tokens:
    resource = check_resource(request.addresses, form.resource)
    if form.grant_type == "authorization_code":
        return grants.exchange_code(request.stack, request.identity, form, resource)
    if form.grant_type == "refresh_token":
        return grants.refresh(request.stack, request.identity, form, resource)
    raise GrantError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.")


async def revoke(request: Request, http: HttpRequest) -> Response:
    """End what a person has allowed (RFC 7009)."""
    form = await _read(request, http, Revocation)
    await on_disk(_revoke, request, form)
    return _to_json({})


def _revoke(request: Request, form: Revocation) -> None:
    with request.writing() as tx:
        grants.revoke(tx, request.identity, form)


async def _read(request: Request, http: HttpRequest, model: type[T]) -> T:
    return to_model(parse_body(await read_body(http, FORM_BYTES), request.content_type), model)


def _to_json(content: object, status: int = 200) -> Response:
    headers = {"content-type": "application/json", "pragma": "no-cache", **PRIVATE}
    return Response(msgspec.json.encode(content), status, headers=headers)
