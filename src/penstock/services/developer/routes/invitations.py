"""Invitations to a vendor, and requests to join one."""

from __future__ import annotations

from html import escape

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.developer.models.accounts import Account, VendorUser
from penstock.services.developer.models.people import Acceptance, Confirmation
from penstock.services.developer.operations import invitations
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.routes.vendors import ONE
from penstock.services.management import interface as management
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.small_pages import page
from penstock.web.streaming import on_disk

INVITED = f"{ONE}/invitations/{{email}}"


def routes() -> list[Route]:
    return [
        post(INVITED, invite, needs=Right.TOKEN, auth=SIGNED_IN, status=204, title="Invite a person to a vendor"),
        get(
            f"{INVITED}/{{code}}",
            show_invitation,
            needs=Right.PUBLIC,
            media_type="text/html",
            title="Show the page of an invitation",
        ),
        post(f"{INVITED}/{{code}}", accept, needs=Right.PUBLIC, refuses_body_with=422, title="Accept an invitation"),
        post(
            f"{ONE}/users",
            request_to_join,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            status=204,
            title="Request to join a vendor",
        ),
        get(
            f"{ONE}/user-requests",
            list_requests,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            title="List requests to join a vendor",
        ),
    ]


def invite(request: Request, vendor: str, email: str) -> None:
    """An e-mail with a link, with which the owner of the address joins the vendor within 7 days."""
    invitations.invite(request.stack, _get_account(request), request.identity, vendor, email)


async def show_invitation(request: Request, vendor: str, email: str, code: str, http: HttpRequest) -> Response:  # noqa: ARG001
    """A page with a button that accepts: programs that look at the links of e-mails do not use them up."""
    is_known = await on_disk(_is_known, request, vendor, email, code)
    fields = (
        ""
        if is_known
        else (
            '<label>Name <input name="name" autocomplete="name"></label>'
            '<label>New password <input name="password" type="password" autocomplete="new-password" required></label>'
        )
    )
    content = f'<p>{escape(email)}</p><form method="post">{fields}<button>Join {escape(vendor)}</button></form>'
    return page("Invitation", content)


def accept(request: Request, vendor: str, email: str, code: str, body: Acceptance) -> Confirmation:
    """Join the vendor. Who is not a user of the stack yet sends a name and a password, and becomes one."""
    row = invitations.accept(request.stack, request.identity, vendor, email, code, body)
    return Confirmation(row.email, f'You belong to the vendor "{row.vendor_id}" now.')


def request_to_join(request: Request, vendor: str) -> None:
    """Ask to belong to the vendor. Whoever belongs to it adds the user, or removes the request."""
    with request.writing() as tx:
        invitations.request_to_join(tx, get_account(tx, request), vendor)


def list_requests(request: Request, vendor: str) -> list[VendorUser]:
    """Users who ask to belong to the vendor, the oldest request first."""
    with request.reading() as tx:
        return invitations.list_requests(tx, get_account(tx, request), vendor)


def _get_account(request: Request) -> Account:
    with request.reading() as tx:
        return get_account(tx, request)


def _is_known(request: Request, vendor: str, email: str, code: str) -> bool:
    with request.reading() as tx:
        row = invitations.find_valid(tx, vendor, email, code)
        return management.find_user_by_email(tx, row.email) is not None
