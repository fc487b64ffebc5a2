"""The pages on which a person agrees that a program signs in: PKCE and the device flow."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import SignedIn
from penstock.foundation.errors import AppError, Unauthorized
from penstock.foundation.stacks import PORTAL
from penstock.services.login import authorizing, devices, pages
from penstock.services.login.models import AuthorizeQuery, Name
from penstock.services.login.routes.browsers import read_fields
from penstock.services.login.routes.pages import (
    OF_PEOPLE,
    ask_to_sign_in,
    find_person,
    read_query,
    redirect,
    to_address,
)
from penstock.web.bodies import to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.streaming import on_disk

AUTHORIZE, DEVICE = "/v1/auth/authorize", "/v1/auth/page/device"


class DeviceForm(msgspec.Struct, frozen=True, rename="camel"):
    user_code: Name = ""
    decision: Name = ""


def routes() -> list[Route]:
    """Official programs open the page to agree at another address than the documentation names."""
    return [
        get(AUTHORIZE, show_consent, **OF_PEOPLE),
        post(AUTHORIZE, decide, **OF_PEOPLE),
        get("/admin/auth/pkce/authorize", lead_to_consent, **OF_PEOPLE),
        get(DEVICE, show_device, **OF_PEOPLE),
        post(DEVICE, decide_device, **OF_PEOPLE),
    ]


async def show_consent(request: Request, http: HttpRequest) -> Response:
    """Ask the person whether a program may sign in, and send the browser back to it with a code."""
    query = read_query(http, AuthorizeQuery)
    _check(request, query)
    caller = await find_person(request, http)
    if not caller:
        return ask_to_sign_in(request, f"{AUTHORIZE}?{http.url.query}")
    return pages.consent_page(caller.description, query)


async def lead_to_consent(request: Request, http: HttpRequest) -> Response:
    _check(request, read_query(http, AuthorizeQuery))
    return redirect(to_address(request, f"{AUTHORIZE}?{http.url.query}"))


async def decide(request: Request, http: HttpRequest) -> Response:
    fields = await read_fields(request, http)
    query, decision = to_model(fields, AuthorizeQuery), fields.get("decision")
    _check(request, query)
    caller = await find_person(request, http)
    if not caller:
        raise Unauthorized("Your session has ended. Start again in the program.")
    if decision != "allow":
        return redirect(authorizing.refuse(query))
    return redirect(await on_disk(_make_code, request, caller, query))


def _make_code(request: Request, caller: SignedIn, query: AuthorizeQuery) -> str:
    with request.writing() as tx:
        return authorizing.make_code(tx, caller, caller.user_id, query)


async def show_device(request: Request, http: HttpRequest) -> Response:
    form = read_query(http, DeviceForm)
    if not await find_person(request, http):
        return ask_to_sign_in(request, f"{DEVICE}?userCode={quote(form.user_code, safe='')}")
    return pages.user_code_page(form.user_code)


async def decide_device(request: Request, http: HttpRequest) -> Response:
    """Show which program waits with the code; the second form says whether it may sign in."""
    form = to_model(await read_fields(request, http), DeviceForm)
    caller = await find_person(request, http)
    if not caller:
        return ask_to_sign_in(request, DEVICE)
    try:
        waiting = await on_disk(devices.find_waiting, request.stack, caller, form.user_code)
    except AppError as error:
        return pages.user_code_page(form.user_code, error)
    if form.decision not in ("allow", "deny"):
        return pages.device_page(caller.description, str(waiting.data["client"]), form.user_code)
    is_allowed = form.decision == "allow"
    await on_disk(_decide_device, request, caller, waiting, is_allowed)
    title = "The program is signed in" if is_allowed else "The program is refused"
    return pages.done_page(title, "You can close this page.")


def _decide_device(request: Request, caller: SignedIn, waiting: devices.Code, is_allowed: bool) -> None:
    with request.writing() as tx:
        devices.decide(tx, caller, caller.user_id, waiting, is_allowed=is_allowed)


def _check(request: Request, query: AuthorizeQuery) -> None:
    authorizing.check_request(query, (request.addresses.url_of(PORTAL),), request.stack.settings.login_redirects)
