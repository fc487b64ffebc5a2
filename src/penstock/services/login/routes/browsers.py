"""The session of a browser, for the console: signing in sets a cookie, which its pages cannot read."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation import clock
from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.errors import Unauthorized
from penstock.services.login import known_browsers, signing_in, tokens
from penstock.services.login.errors import OtherSite
from penstock.services.login.models import (
    AccessToken,
    MfaLogin,
    MfaRequired,
    PasswordLogin,
    SessionState,
)
from penstock.services.login.store import tokens as store
from penstock.services.login.tokens import ACCESS, SESSION
from penstock.web.auth.session import COOKIE, cookie_name, find_session, is_of_this_site, session
from penstock.web.bodies import parse_body, read_body, to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.small_pages import PRIVATE
from penstock.web.streaming import on_disk

PATH = "/v1/auth/session"
FORM_BYTES = 20_000
JSON = ("application/json",)


def routes() -> list[Route]:
    auth = session(tokens.find_signed_in)
    return [
        get(PATH, describe, needs=Right.PUBLIC, title="Check whether the browser is signed in"),
        post(PATH, start, needs=Right.PUBLIC, returns=MfaRequired, takes=JSON, title="Sign in with a browser"),
        post(
            f"{PATH}/mfa",
            start_with_code,
            needs=Right.PUBLIC,
            takes=JSON,
            title="Sign in with a browser and a second factor",
        ),
        post(f"{PATH}/token", make_access_token, needs=Right.TOKEN, auth=auth),
        post(f"{PATH}/end", end, needs=Right.PUBLIC, status=204, title="Sign out of a browser"),
    ]


async def describe(request: Request, http: HttpRequest) -> SessionState:
    """Whether the browser is signed in, and how it can sign in: not an error for whoever is not."""
    text, is_signed_in = find_session(http), False
    if text:
        with suppress(Unauthorized):
            is_signed_in = bool(await on_disk(tokens.find_signed_in, request.stack, text))
    return SessionState(is_signed_in=is_signed_in, has_single_sign_on=bool(request.stack.settings.oidc_issuer))


async def start(request: Request, http: HttpRequest) -> Response:
    """Sign in with a password. 204 and a cookie or, if there is a second factor, what to send with its code."""
    form = to_model(await read_fields(request, http), PasswordLogin)
    outcome = await on_disk(
        signing_in.sign_in,
        *(request.stack, request.identity, form.email, form.password, signing_in.start_session, mark_of(request, http)),
    )
    if isinstance(outcome, MfaRequired):
        return Response(msgspec.json.encode(outcome), headers={"content-type": "application/json", **PRIVATE})
    return with_session(Response(status_code=204, headers=PRIVATE), request, outcome)


async def start_with_code(request: Request, http: HttpRequest) -> Response:
    form = to_model(await read_fields(request, http), MfaLogin)
    started = await on_disk(
        signing_in.sign_in_with_code,
        *(request.stack, request.identity, form.mfa_token, form.code, signing_in.start_session),
    )
    return with_session(Response(status_code=204, headers=PRIVATE), request, started)


def make_access_token(request: Request) -> AccessToken:
    """A short-lived access token for the pages of the console, which does not outlive the session."""
    caller = request.identity
    assert isinstance(caller, SignedIn)
    with request.writing() as tx:
        found = store.find_token(tx, caller.token_id)
        family = found.family_id if found else caller.token_id
        lifetime = min(ACCESS, caller.expires - clock.now()) if caller.expires else ACCESS
        text = tokens.make_token(tx, "access", caller.user_id, lifetime, family_id=family, description="browser")
    return AccessToken(access_token=text, expires_in=int(lifetime.total_seconds()))


async def end(request: Request, http: HttpRequest) -> Response:
    """Sign out: the session and its access tokens are revoked."""
    if not is_of_this_site(http):
        raise OtherSite
    if text := find_session(http):
        await on_disk(_revoke, request, text)
    response = Response(status_code=204, headers=PRIVATE)
    is_secure = _is_secure(request)
    response.delete_cookie(cookie_name(COOKIE, is_secure=is_secure), path="/", secure=is_secure)
    return response


def _revoke(request: Request, text: str) -> None:
    with request.writing() as tx:
        tokens.revoke(tx, request.identity, text)


async def read_fields(request: Request, http: HttpRequest) -> dict[str, object]:
    """Read the fields of a form that a page of this stack has sent."""
    if not is_of_this_site(http):
        raise OtherSite
    return parse_body(await read_body(http, FORM_BYTES), request.content_type)


def mark_of(request: Request, http: HttpRequest) -> str:
    """What a browser has in which somebody has signed in before."""
    return http.cookies.get(cookie_name(known_browsers.COOKIE, is_secure=_is_secure(request)), "")


def with_session(response: Response, request: Request, started: signing_in.Started) -> Response:
    mark = known_browsers.make_mark(request.stack.cipher, started.email)
    _set_cookie(response, request, known_browsers.COOKIE, mark, known_browsers.LIFETIME)
    _set_cookie(response, request, COOKIE, started.session, SESSION)
    return response


def _set_cookie(response: Response, request: Request, name: str, text: str, lifetime: timedelta) -> None:
    """Lax: the browser sends it when a program or a provider sends the person here, which is a navigation."""
    age, is_secure = int(lifetime.total_seconds()), _is_secure(request)
    name = cookie_name(name, is_secure=is_secure)
    response.set_cookie(name, text, max_age=age, path="/", secure=is_secure, httponly=True, samesite="lax")


def _is_secure(request: Request) -> bool:
    return request.addresses.url_of("management").startswith("https:")
