"""The pages that a browser shows: signing in, agreeing that a program signs in, and links that work once."""

from __future__ import annotations

from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.errors import AppError, Forbidden, Unauthorized
from penstock.foundation.stacks import PORTAL
from penstock.services.management.login import (
    authorizing,
    devices,
    invitations,
    links,
    pages,
    resets,
    signing_in,
    tokens,
)
from penstock.services.management.login.models import (
    AuthorizeQuery,
    ForgottenPassword,
    MfaLogin,
    MfaRequired,
    Name,
    PasswordLogin,
    Short,
)
from penstock.services.management.login.pages import PRIVATE
from penstock.services.management.login.routes.browsers import read_fields, with_session
from penstock.web.auth.session import find_session
from penstock.web.bodies import parse_query, to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.streaming import on_disk

T = TypeVar("T", bound=msgspec.Struct)
AUTHORIZE, SIGN_IN = "/v1/auth/authorize", "/v1/auth/page/sign-in"
FORGOTTEN = "/v1/auth/page/forgotten"


class NextQuery(msgspec.Struct, frozen=True):
    next: Short = ""


class DeviceForm(msgspec.Struct, frozen=True, rename="camel"):
    user_code: Name = ""
    decision: Name = ""


class LinkQuery(msgspec.Struct, frozen=True):
    code: Short = ""


class LinkForm(msgspec.Struct, frozen=True):
    code: Short
    password: Short
    name: Name = ""


class InvitationForm(msgspec.Struct, frozen=True):
    code: Short
    password: Short = ""
    name: Name = ""


class AnotherUser(Forbidden):
    def __init__(self, email: str) -> None:
        super().__init__(f"This browser is signed in as {email}, and the link is for another user. Sign out first.")


def routes() -> list[Route]:
    """Official programs open the page to agree at another address than the documentation names."""
    of_people: dict[str, Any] = {"needs": Right.PUBLIC, "is_documented": False}
    return [
        get(AUTHORIZE, show_consent, **of_people),
        post(AUTHORIZE, decide, **of_people),
        get("/admin/auth/pkce/authorize", lead_to_consent, **of_people),
        get(SIGN_IN, show_sign_in, **of_people),
        post(SIGN_IN, sign_in, **of_people),
        post("/v1/auth/page/code", sign_in_with_code, **of_people),
        get("/v1/auth/page/device", show_device, **of_people),
        post("/v1/auth/page/device", decide_device, **of_people),
        get(FORGOTTEN, show_forgotten, **of_people),
        post(FORGOTTEN, request_reset, **of_people),
        get(links.PATH, show_link, **of_people),
        post(links.PATH, use_link, **of_people),
        get(invitations.PATH, show_invitation, **of_people),
        post(invitations.PATH, accept_invitation, **of_people),
    ]


async def show_consent(request: Request, http: HttpRequest) -> Response:
    """Ask the person whether a program may sign in, and send the browser back to it with a code."""
    query = _read_query(http, AuthorizeQuery)
    _check(request, query)
    caller = await _find_person(request, http)
    if not caller:
        return _ask_to_sign_in(request, f"{AUTHORIZE}?{http.url.query}")
    return pages.consent_page(caller.description, query)


async def lead_to_consent(request: Request, http: HttpRequest) -> Response:
    _check(request, _read_query(http, AuthorizeQuery))
    return redirect(f"{request.addresses.url_of('management')}{AUTHORIZE}?{http.url.query}")


async def decide(request: Request, http: HttpRequest) -> Response:
    fields = await read_fields(request, http)
    query, decision = to_model(fields, AuthorizeQuery), fields.get("decision")
    _check(request, query)
    caller = await _find_person(request, http)
    if not caller:
        raise Unauthorized("Your session has ended. Start again in the program.")
    if decision != "allow":
        return redirect(authorizing.refuse(query))
    return redirect(await on_disk(_make_code, request, caller, query))


def _make_code(request: Request, caller: SignedIn, query: AuthorizeQuery) -> str:
    with request.writing() as tx:
        return authorizing.make_code(tx, caller, caller.user_id, query)


async def show_sign_in(request: Request, http: HttpRequest) -> Response:
    goes_to = safe_path(_read_query(http, NextQuery).next)
    return pages.sign_in_page(goes_to, has_sso=bool(request.stack.settings.oidc_issuer))


async def sign_in(request: Request, http: HttpRequest) -> Response:
    fields, stack = await read_fields(request, http), request.stack
    form, goes_to = to_model(fields, PasswordLogin), safe_path(fields.get("next"))
    try:
        outcome = await on_disk(
            signing_in.sign_in, stack, request.identity, form.email, form.password, signing_in.start_session
        )
    except AppError as error:
        has_sso = bool(stack.settings.oidc_issuer)
        return pages.sign_in_page(goes_to, has_sso=has_sso, error=error, email=form.email)
    return _continue(request, outcome, goes_to)


def _continue(request: Request, outcome: str | MfaRequired, goes_to: str = "") -> Response:
    """Signed in, or asked for a code of the second factor."""
    if isinstance(outcome, MfaRequired):
        return pages.code_page(goes_to, outcome.mfa_token)
    return with_session(redirect(to_address(request, goes_to)), request, outcome)


async def sign_in_with_code(request: Request, http: HttpRequest) -> Response:
    fields = await read_fields(request, http)
    form, goes_to = to_model(fields, MfaLogin), safe_path(fields.get("next"))
    given = (form.mfa_token, form.code, signing_in.start_session)
    try:
        text = await on_disk(signing_in.sign_in_with_code, request.stack, request.identity, *given)
    except AppError as error:
        return pages.code_page(goes_to, form.mfa_token, error)
    return with_session(redirect(to_address(request, goes_to)), request, text)


async def show_device(request: Request, http: HttpRequest) -> Response:
    form = _read_query(http, DeviceForm)
    if not await _find_person(request, http):
        return _ask_to_sign_in(request, f"/v1/auth/page/device?userCode={quote(form.user_code, safe='')}")
    return pages.user_code_page(form.user_code)


async def decide_device(request: Request, http: HttpRequest) -> Response:
    """Show which program waits with the code; the second form says whether it may sign in."""
    form = to_model(await read_fields(request, http), DeviceForm)
    caller = await _find_person(request, http)
    if not caller:
        return _ask_to_sign_in(request, "/v1/auth/page/device")
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


def show_forgotten(request: Request) -> Response:  # noqa: ARG001
    return pages.forgotten_page()


async def request_reset(request: Request, http: HttpRequest) -> Response:
    form = to_model(await read_fields(request, http), ForgottenPassword)
    try:
        await on_disk(resets.request_reset, request.stack, request.identity, form.email)
    except AppError as error:
        return pages.forgotten_page(error, form.email)
    text = f"If a user has this address, an e-mail is on its way. Its link works for {resets.MINUTES} minutes, once."
    return pages.done_page("Look at your e-mails", text)


async def show_link(request: Request, http: HttpRequest) -> Response:
    code = _read_query(http, LinkQuery).code
    user = await _find_owner(request, http, code)
    return pages.password_page(user.email, user.name, code)


async def use_link(request: Request, http: HttpRequest) -> Response:
    form = to_model(await read_fields(request, http), LinkForm)
    user = await _find_owner(request, http, form.code)
    given = (form.code, form.name, form.password)
    try:
        outcome = await on_disk(links.use_link, request.stack, request.identity, *given)
    except AppError as error:
        return pages.password_page(user.email, form.name, form.code, error)
    return _continue(request, outcome)


async def show_invitation(request: Request, http: HttpRequest) -> Response:
    code = _read_query(http, LinkQuery).code
    invited = await on_disk(_read_invited, request, code)
    caller = await _find_caller_of(request, http, invited.user)
    if caller:
        return pages.invitation_page(caller.description, code)
    if invited.is_new:
        return pages.password_page(invited.user.email, invited.user.name, code, action="invitation")
    return _ask_to_sign_in(request, f"{invitations.PATH}?code={quote(code, safe='')}")


async def accept_invitation(request: Request, http: HttpRequest) -> Response:
    form = to_model(await read_fields(request, http), InvitationForm)
    invited = await on_disk(_read_invited, request, form.code)
    caller = await _find_caller_of(request, http, invited.user)
    if caller:
        await on_disk(invitations.accept, request.stack, caller, form.code)
        return redirect(to_address(request, ""))
    if not invited.is_new:
        return _ask_to_sign_in(request, f"{invitations.PATH}?code={quote(form.code, safe='')}")
    given = (form.code, form.name, form.password)
    try:
        outcome = await on_disk(invitations.accept_as_new, request.stack, request.identity, *given)
    except AppError as error:
        return pages.password_page(invited.user.email, form.name, form.code, error, "invitation")
    return _continue(request, outcome)


def _read_invited(request: Request, code: str) -> invitations.Invited:
    with request.reading() as tx:
        return invitations.find_invited(tx, code)


async def _find_owner(request: Request, http: HttpRequest, code: str) -> links.User:
    user = await on_disk(_read_owner, request, code)
    await _find_caller_of(request, http, user)
    return user


async def _find_caller_of(request: Request, http: HttpRequest, user: links.User) -> SignedIn | None:
    """The session of the browser; raises AnotherUser if it is not the user's that a link is for."""
    caller = await _find_person(request, http)
    if caller and caller.user_id != user.id:
        raise AnotherUser(caller.description)
    return caller


def _read_owner(request: Request, code: str) -> links.User:
    with request.reading() as tx:
        return links.find_owner(tx, code)


async def _find_person(request: Request, http: HttpRequest) -> SignedIn | None:
    """Whose session the browser has, if it has one."""
    text = find_session(http)
    try:
        caller = await on_disk(tokens.find_signed_in, request.stack, text) if text else None
    except Unauthorized:
        return None
    return msgspec.structs.replace(caller, origin=request.identity.origin) if caller else None


def _check(request: Request, query: AuthorizeQuery) -> None:
    own = tuple(request.addresses.url_of(each) for each in (PORTAL,))
    authorizing.check_request(query, own, request.stack.settings.login_redirects)


def _ask_to_sign_in(request: Request, goes_to: str) -> Response:
    return redirect(f"{request.addresses.url_of('management')}{SIGN_IN}?next={quote(goes_to, safe='')}")


def safe_path(path: object) -> str:
    """A path of this service, or nothing: a link must not lead to another site after signing in."""
    if not isinstance(path, str) or not path.startswith("/v1/auth/"):
        return ""
    return path if path.isascii() and path.isprintable() and "\\" not in path else ""


def to_address(request: Request, path: str) -> str:
    return f"{request.addresses.url_of('management')}{path}" if path else f"{request.addresses.url_of(PORTAL)}/"


def redirect(location: str) -> Response:
    return Response(status_code=303, headers={"location": location, **PRIVATE})


def _read_query(http: HttpRequest, model: type[T]) -> T:
    return to_model(parse_query(http.scope["query_string"].decode("latin-1")), model)
