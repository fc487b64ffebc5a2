"""The pages of links that work once, of invitations, and of forgotten passwords."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import SignedIn
from penstock.foundation.errors import AppError, Forbidden
from penstock.services.login import invitations, links, pages, resets
from penstock.services.login.models import ForgottenPassword, Name, Short
from penstock.services.login.routes.browsers import read_fields
from penstock.services.login.routes.pages import (
    OF_PEOPLE,
    ask_to_sign_in,
    find_person,
    proceed,
    read_query,
    redirect,
    to_address,
)
from penstock.web.bodies import to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.streaming import on_disk

FORGOTTEN = "/v1/auth/page/forgotten"


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
    return [
        get(FORGOTTEN, show_forgotten, **OF_PEOPLE),
        post(FORGOTTEN, request_reset, **OF_PEOPLE),
        get(links.PATH, show_link, **OF_PEOPLE),
        post(links.PATH, use_link, **OF_PEOPLE),
        get(invitations.PATH, show_invitation, **OF_PEOPLE),
        post(invitations.PATH, accept_invitation, **OF_PEOPLE),
    ]


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
    code = read_query(http, LinkQuery).code
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
    return proceed(request, outcome)


async def show_invitation(request: Request, http: HttpRequest) -> Response:
    code = read_query(http, LinkQuery).code
    invited = await on_disk(_read_invited, request, code)
    caller = await _find_caller_of(request, http, invited.user)
    if caller:
        return pages.invitation_page(caller.description, code)
    if invited.is_new:
        return pages.password_page(invited.user.email, invited.user.name, code, action="invitation")
    return ask_to_sign_in(request, f"{invitations.PATH}?code={quote(code, safe='')}")


async def accept_invitation(request: Request, http: HttpRequest) -> Response:
    form = to_model(await read_fields(request, http), InvitationForm)
    invited = await on_disk(_read_invited, request, form.code)
    caller = await _find_caller_of(request, http, invited.user)
    if caller:
        await on_disk(invitations.accept, request.stack, caller, form.code)
        return redirect(to_address(request, ""))
    if not invited.is_new:
        return ask_to_sign_in(request, f"{invitations.PATH}?code={quote(form.code, safe='')}")
    given = (form.code, form.name, form.password)
    try:
        outcome = await on_disk(invitations.accept_as_new, request.stack, request.identity, *given)
    except AppError as error:
        return pages.password_page(invited.user.email, form.name, form.code, error, "invitation")
    return proceed(request, outcome)


def _read_invited(request: Request, code: str) -> invitations.Invited:
    with request.reading() as tx:
        return invitations.find_invited(tx, code)


async def _find_owner(request: Request, http: HttpRequest, code: str) -> links.User:
    user = await on_disk(_read_owner, request, code)
    await _find_caller_of(request, http, user)
    return user


async def _find_caller_of(request: Request, http: HttpRequest, user: links.User) -> SignedIn | None:
    """The session of the browser; raises AnotherUser if it is not the user's that a link is for."""
    caller = await find_person(request, http)
    if caller and caller.user_id != user.id:
        raise AnotherUser(caller.description)
    return caller


def _read_owner(request: Request, code: str) -> links.User:
    with request.reading() as tx:
        return links.find_owner(tx, code)
