"""The way of a browser to the provider of single sign-on, and back."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.login.attempts import begin_waiting
from penstock.services.login.errors import SingleSignOnFailed
from penstock.services.login.models import Url
from penstock.services.login.routes.pages import NextQuery, proceed, redirect, safe_path, to_address
from penstock.services.login.single_sign_on import signing_on
from penstock.services.login.single_sign_on.signing_on import COOKIE, LIFETIME
from penstock.web.auth.session import cookie_name
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from penstock.web.streaming import on_disk

PATH = "/v1/auth/page/sso"


class CallbackQuery(msgspec.Struct, frozen=True):
    state: Url = ""
    code: Url = ""
    error: Url = ""


def routes() -> list[Route]:
    return [
        get(PATH, start, needs=Right.PUBLIC, is_documented=False),
        get(f"{PATH}/callback", complete, needs=Right.PUBLIC, is_documented=False),
    ]


async def start(request: Request, query: NextQuery, http: HttpRequest) -> Response:
    if urlsplit(f"//{http.scope.get('penstock.authority', '')}").hostname != urlsplit(_callback(request)).hostname:
        return redirect(to_address(request, f"{PATH}?next={quote(safe_path(query.next), safe='')}"))
    await on_disk(begin_waiting, request.stack, request.identity, "sso")
    begun = await signing_on.begin(request.stack, _callback(request))
    await on_disk(signing_on.keep, request.stack, begun, safe_path(query.next))
    response = redirect(begun.location)
    response.set_cookie(
        cookie_name(COOKIE, is_secure=_is_secure(request)),
        begun.secret,
        max_age=int(LIFETIME.total_seconds()),
        path="/",
        secure=_is_secure(request),
        httponly=True,
        samesite="lax",
    )
    return response


async def complete(request: Request, query: CallbackQuery, http: HttpRequest) -> Response:
    """Complete a sign-in: the provider sends the browser back here."""
    is_secure = _is_secure(request)
    cookie = cookie_name(COOKIE, is_secure=is_secure)
    secret, goes_to = await on_disk(signing_on.take, request.stack, query.state, http.cookies.get(cookie, ""))
    if query.error or not query.code:
        raise SingleSignOnFailed("the provider refused it")
    claims = await signing_on.find_claims(request.stack, query.code, secret, _callback(request))
    outcome = await on_disk(signing_on.sign_on, request.stack, request.identity, claims)
    response = proceed(request, outcome, goes_to, action="../code")
    response.delete_cookie(cookie, path="/", secure=is_secure)
    return response


def _callback(request: Request) -> str:
    """Return the address on the host that has the session: the cookie of the sign-in has to come back with the
    browser."""
    return to_address(request, f"{PATH}/callback")


def _is_secure(request: Request) -> bool:
    return _callback(request).startswith("https:")
