"""Login, refresh, logout and profile."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.developer.errors import InvalidToken, NoPassword, NotALogin
from penstock.services.developer.models.accounts import CodeRequired, Credentials, Profile, ProfileVendor, Token
from penstock.services.developer.operations import logins, users
from penstock.services.developer.operations.accounts import check_credentials, find_account
from penstock.services.developer.routes.callers import REFRESHING, SIGNED_IN, get_account
from penstock.services.developer.store.vendors import find_vendor
from penstock.web.auth.storage_token import PERSONAL
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    return [
        post("/auth/login", log_in, needs=Right.PUBLIC, refuses_body_with=422, title="Sign in to the developer portal"),
        get("/auth/token", refresh, needs=Right.TOKEN, auth=REFRESHING, title="Refresh a token"),
        post(
            "/auth/logout",
            log_out,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            status=204,
            works_on_full_disk=True,
            title="Sign out",
        ),
        get(
            "/auth/profile",
            get_profile,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            title="Get the profile of the signed-in developer",
        ),
    ]


def log_in(request: Request, body: Credentials) -> Token | CodeRequired:
    """Sign in with the e-mail address of a user of the stack, or with the username of a service account as `email`.

    The token lives an hour, the refresh token 30 days. A user with a second factor gets a session for its code.
    """
    if not body.password and not (body.session and body.code):
        raise NoPassword
    if body.session or _is_address(request, body.email):
        return users.log_in(request.stack, request.identity, body)
    with request.reading() as tx:
        account = check_credentials(tx, body)
    with request.writing() as tx:
        return logins.create_login(tx, request.stack.cipher, account)


def _is_address(request: Request, name: str) -> bool:
    """Accounts that are older than sign-ins of users may have one as their name."""
    with request.reading() as tx:
        return "@" in name and not find_account(tx, name)


def refresh(request: Request) -> Token:
    """A new token, for the refresh token in `Authorization`."""
    with request.writing() as tx:
        made = logins.refresh_login(tx, request.stack.cipher, request.token)
    if not made:  # the login has ended, and that must be committed
        raise InvalidToken
    return made


def log_out(request: Request) -> None:
    """End the login with all of its tokens."""
    if request.token.startswith(PERSONAL):
        raise NotALogin
    with request.writing() as tx:
        logins.end_login(tx, request.identity.token_id)


def get_profile(request: Request) -> Profile:
    with request.reading() as tx:
        account = get_account(tx, request)
        found = [vendor for each in account.vendors if (vendor := find_vendor(tx, each))]
    return Profile(
        name=account.name,
        email=account.email,
        vendors=[ProfileVendor(vendor.id, vendor.name) for vendor in found],
        is_admin=account.is_admin,
        mfa=account.has_second_factor,
    )
