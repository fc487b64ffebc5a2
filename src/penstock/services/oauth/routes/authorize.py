"""The user's way to the provider and back. Both rows are visited by a browser, which has no header with a token: the
form holds it, and the callback proves itself with its state and the cookie that the response to the form has set."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.foundation.errors import AppError
from penstock.foundation.stacks import STORAGE
from penstock.services.oauth.models.authorizations import AuthorizeForm, CallbackQuery
from penstock.services.oauth.operations import authorizing
from penstock.services.oauth.operations.applications import encode_url
from penstock.services.oauth.pages import failure_page
from penstock.web.bodies import parse_body, read_body, to_model
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.small_pages import wants_page
from penstock.web.streaming import on_disk

PATH = "/authorize/{component_id}"
FORM, FORM_BYTES = ("application/x-www-form-urlencoded",), 100_000
PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
"""The addresses hold a code and a state, which neither caches nor the next page may see."""


def routes() -> list[Route]:
    return [
        post(
            PATH,
            authorize,
            needs=Right.PUBLIC,
            status=302,
            takes=FORM,
            is_for_any_site=True,
            title="Authorize an account of a third party",
        ),
        get(f"{PATH}/callback", complete, needs=Right.PUBLIC, status=302, title="Complete an authorization"),
    ]


async def authorize(request: Request, component_id: str, http: HttpRequest) -> Response:
    """Send the user to the provider. The fields are in a form, among them a Storage token. A browser gets a page if
    that fails."""
    back, stack = _console(request), request.stack
    try:
        form = to_model(parse_body(await read_body(http, FORM_BYTES), request.content_type), AuthorizeForm)
        prepared = await on_disk(authorizing.prepare, stack, component_id, form)
        # Before the token is known, the form may be anybody's, and the page leads to no address of it.
        back = encode_url(form.return_url)
        begun = await authorizing.begin(stack.outbound, prepared.application, _callback(request, prepared.component_id))
        await on_disk(authorizing.keep, stack, prepared, form, begun)
    except AppError as error:
        if not wants_page(http):
            raise
        return failure_page(error, component_id, "", back)
    response = _redirect(begun.location)
    _set_cookie(response, begun, max_age=int(authorizing.LIFETIME.total_seconds()))
    return response


async def complete(request: Request, component_id: str, query: CallbackQuery, http: HttpRequest) -> Response:
    """Complete an authorization: the provider sends the user back here, the credential is stored, and the user sent on.
    A browser gets a page if that fails."""
    row = None
    try:
        row = await on_disk(authorizing.take, request.stack, component_id, query, http.cookies)
        text = await authorizing.exchange(request.stack, row, query)
        await on_disk(authorizing.store_credential, request.stack, request.identity, row, text)
        response = _redirect(row.return_url)
    except AppError as error:
        if not wants_page(http):
            raise
        # Without the authorization, the query may be anything that a link of somebody else holds.
        back = encode_url(row.return_url) if row else _console(request)
        response = failure_page(error, component_id, query.error_description if row else "", back)
    if row:
        response.delete_cookie(authorizing.cookie_of(row.state), path=urlsplit(row.redirect_uri).path)
    return response


def _console(request: Request) -> str:
    return f"{request.addresses.url_of(STORAGE)}/admin"


def _callback(request: Request, component_id: str) -> str:
    return f"{request.addresses.url_of('oauth')}/authorize/{quote(component_id, safe='')}/callback"


def _redirect(location: str) -> Response:
    return Response(status_code=302, headers={"location": encode_url(location), **PRIVATE})


def _set_cookie(response: Response, begun: authorizing.Begun, max_age: int) -> None:
    """Lax: the browser sends it when the provider sends the user back, which is a navigation from another site."""
    where = urlsplit(begun.redirect_uri)
    response.set_cookie(
        begun.cookie,
        begun.session,
        max_age=max_age,
        path=where.path,
        secure=where.scheme == "https",
        httponly=True,
        samesite="lax",
    )
