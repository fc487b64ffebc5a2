"""The pages to sign in, and what the other pages need: who is signed in, and where the browser goes next."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar
from urllib.parse import quote

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.errors import AppError, Unauthorized
from penstock.foundation.stacks import STORAGE
from penstock.services.login import pages, signing_in, tokens
from penstock.services.login.models import MfaLogin, MfaRequired, PasswordLogin
from penstock.services.login.routes.browsers import mark_of, read_fields, with_session
from penstock.web.auth.session import find_session
from penstock.web.bodies import parse_query, to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.small_pages import PRIVATE
from penstock.web.streaming import on_disk

T = TypeVar("T", bound=msgspec.Struct)
SIGN_IN = "/v1/auth/page/sign-in"
OF_PEOPLE: dict[str, Any] = {"needs": Right.PUBLIC, "is_documented": False}
"""What rows of pages have."""
CONSOLE_PATH, AUTHORIZE_PATH = "/admin", "/oauth/authorize"
MAX_NEXT = 16_000
"""The longest request of a program that waits for a person, with everything escaped."""


class NextQuery(msgspec.Struct, frozen=True):
    next: Annotated[str, msgspec.Meta(max_length=MAX_NEXT)] = ""


def routes() -> list[Route]:
    return [
        get(SIGN_IN, show_sign_in, **OF_PEOPLE),
        post(SIGN_IN, sign_in, **OF_PEOPLE),
        post("/v1/auth/page/code", sign_in_with_code, **OF_PEOPLE),
    ]


async def show_sign_in(request: Request, http: HttpRequest) -> Response:
    goes_to = safe_path(read_query(http, NextQuery).next)
    return pages.sign_in_page(goes_to, has_sso=bool(request.stack.settings.oidc_issuer))


async def sign_in(request: Request, http: HttpRequest) -> Response:
    fields, stack = await read_fields(request, http), request.stack
    form, goes_to = to_model(fields, PasswordLogin), safe_path(fields.get("next"))
    try:
        outcome = await on_disk(
            signing_in.sign_in,
            *(stack, request.identity, form.email, form.password, signing_in.start_session, mark_of(request, http)),
        )
    except AppError as error:
        has_sso = bool(stack.settings.oidc_issuer)
        return pages.sign_in_page(goes_to, has_sso=has_sso, error=error, email=form.email)
    return proceed(request, outcome, goes_to)


async def sign_in_with_code(request: Request, http: HttpRequest) -> Response:
    fields = await read_fields(request, http)
    form, goes_to = to_model(fields, MfaLogin), safe_path(fields.get("next"))
    given = (form.mfa_token, form.code, signing_in.start_session)
    try:
        started = await on_disk(signing_in.sign_in_with_code, request.stack, request.identity, *given)
    except AppError as error:
        return pages.code_page(goes_to, form.mfa_token, error)
    return with_session(redirect(to_address(request, goes_to)), request, started)


def proceed(
    request: Request, outcome: signing_in.Started | MfaRequired, goes_to: str = "", action: str = "code"
) -> Response:
    """Signed in, or asked for a code of the second factor. `action` is the address of that form, from the page."""
    if isinstance(outcome, MfaRequired):
        return pages.code_page(goes_to, outcome.mfa_token, action=action)
    return with_session(redirect(to_address(request, goes_to)), request, outcome)


async def find_person(request: Request, http: HttpRequest) -> SignedIn | None:
    """Whose session the browser has, if it has one."""
    text = find_session(http)
    try:
        caller = await on_disk(tokens.find_signed_in, request.stack, text) if text else None
    except Unauthorized:
        return None
    return msgspec.structs.replace(caller, origin=request.identity.origin) if caller else None


def ask_to_sign_in(request: Request, goes_to: str) -> Response:
    return redirect(to_address(request, f"{SIGN_IN}?next={quote(goes_to, safe='')}"))


def safe_path(path: object) -> str:
    """A path of this service or of the console, or nothing: a link must not lead to another site after signing in."""
    if not isinstance(path, str) or not path.startswith(("/v1/auth/", f"{CONSOLE_PATH}/", f"{AUTHORIZE_PATH}?")):
        return ""
    return path if path.isascii() and path.isprintable() and "\\" not in path else ""


def to_address(request: Request, path: str = "") -> str:
    """Return the address on the connection host: the session belongs to the host of the console, whichever one a page
    was opened at."""
    return f"{request.addresses.url_of(STORAGE)}{path or CONSOLE_PATH}"


def redirect(location: str) -> Response:
    return Response(status_code=303, headers={"location": location, **PRIVATE})


def read_query(http: HttpRequest, model: type[T]) -> T:
    return to_model(parse_query(http.scope["query_string"].decode("latin-1")), model)
