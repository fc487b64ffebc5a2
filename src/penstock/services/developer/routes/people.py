"""Becoming a user by signing up, a new password in place of a forgotten one, and the second factor."""

from __future__ import annotations

from html import escape

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import UsersHaveFactors
from penstock.services.developer.models.people import (
    AgainRequest,
    Confirmation,
    FactorCode,
    NewPassword,
    RecoveryCodes,
    SignedUp,
    SignUp,
)
from penstock.services.developer.operations import signing_up
from penstock.services.developer.routes.callers import SIGNED_IN
from penstock.services.developer.store.accounts import find_login
from penstock.services.login import interface as login
from penstock.services.login.interface import Setup
from penstock.services.management import interface as management
from penstock.services.management.interface import User
from penstock.web.auth.storage_token import PERSONAL
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.small_pages import page
from penstock.web.streaming import on_disk

CONFIRM, FORGOT, MFA = "/auth/confirm", "/auth/forgot/{email}", "/auth/mfa"


def routes() -> list[Route]:
    return [
        post("/auth/signup", sign_up, needs=Right.PUBLIC, status=201, refuses_body_with=422),
        post(
            CONFIRM,
            send_again,
            needs=Right.PUBLIC,
            status=204,
            refuses_body_with=422,
            title="Send the link of a confirmation again",
        ),
        get(
            f"{CONFIRM}/{{email}}/{{code}}",
            show_confirmation,
            needs=Right.PUBLIC,
            media_type="text/html",
            title="Show the page of a confirmation",
        ),
        post(f"{CONFIRM}/{{email}}/{{code}}", confirm, needs=Right.PUBLIC, title="Confirm an e-mail address"),
        post(FORGOT, request_password, needs=Right.PUBLIC, status=204, title="Request a code for a new password"),
        post(
            f"{FORGOT}/confirm",
            set_password,
            needs=Right.PUBLIC,
            status=204,
            refuses_body_with=422,
            title="Set a new password",
        ),
        post(MFA, start_second_factor, needs=Right.TOKEN, auth=SIGNED_IN),
        post(f"{MFA}/confirm", confirm_second_factor, needs=Right.TOKEN, auth=SIGNED_IN, refuses_body_with=422),
    ]


def sign_up(request: Request, body: SignUp) -> SignedUp:
    """Become a user of the stack, if its operator lets people sign up. The user exists once the address is confirmed:
    with the link of an e-mail or, on a stack that sends none, by an administrator."""
    return signing_up.sign_up(request.stack, request.identity, body)


def send_again(request: Request, body: AgainRequest) -> None:
    """Another link to confirm an address that has signed up. The response is the same for every address."""
    signing_up.send_again(request.stack, request.identity, body.email)


async def show_confirmation(request: Request, email: str, code: str, http: HttpRequest) -> Response:  # noqa: ARG001
    """A page with a button that confirms: programs that look at the links of e-mails do not use them up."""
    row = await on_disk(_find, request, email, code)
    content = f'<p>{escape(row)} becomes a user.</p><form method="post"><button>Confirm</button></form>'
    return page("Confirm your address", content)


def confirm(request: Request, email: str, code: str) -> Confirmation:
    """The address is confirmed, and its owner signs in from now on."""
    with request.writing() as tx:
        row = signing_up.find_valid(tx, email, code)
        signing_up.confirm(tx, request.identity, row)
    return Confirmation(row.email, "The address is confirmed. Sign in with your password.")


def request_password(request: Request, email: str) -> None:
    """An e-mail with a code for a new password. The response is the same for every address."""
    login.request_reset(request.stack, request.identity, email)


def set_password(request: Request, email: str, body: NewPassword) -> None:
    """Set a new password, with the code of the e-mail. All sign-ins of the user end."""
    login.set_forgotten_password(request.stack, request.identity, email, body.code, body.password)


def start_second_factor(request: Request) -> Setup:
    """A key for an authenticator app; it counts once a code of it is confirmed."""
    with request.writing() as tx:
        user = _get_user(tx, request)
        return login.start_setup(tx, request.stack.cipher, user, request.stack.domain)


def confirm_second_factor(request: Request, body: FactorCode) -> RecoveryCodes:
    """The recovery codes are in this response only. Every other sign-in of the user ends, since it was made without a
    code."""
    with request.writing() as tx:
        user, own = _get_user(tx, request), find_login(tx, request.identity.token_id)
        sign_in_id = own.sign_in_id if own and own.sign_in_id else 0
        codes = login.confirm_setup(tx, request.stack.cipher, request.identity, user, body.code, sign_in_id)
    return RecoveryCodes(codes)


def _find(request: Request, email: str, code: str) -> str:
    with request.reading() as tx:
        return signing_up.find_valid(tx, email, code).email


def _get_user(tx: Transaction, request: Request) -> User:
    """Return the user, but not by a personal access token, which must not change how its user signs in."""
    assert isinstance(request.identity, SignedIn)
    user = management.find_user(tx, request.identity.user_id)
    if not user or request.token.startswith(PERSONAL):
        raise UsersHaveFactors
    return user
