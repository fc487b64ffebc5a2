"""Rows for programs: they get tokens for a password, for a code of a browser, or for a refresh token."""

from __future__ import annotations

from functools import partial

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.login import authorizing, devices, people, resets, signing_in, tokens
from penstock.services.login.attempts import begin_waiting
from penstock.services.login.models import (
    CodeExchange,
    Device,
    DeviceExchange,
    DeviceRequest,
    ForgottenPassword,
    Introspection,
    MfaLogin,
    MfaRequired,
    PasswordLogin,
    RefreshRequest,
    TokenPair,
    TokenText,
)
from penstock.services.management.interface import User
from penstock.web.auth.person import person
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

DEVICE_PAGE = "/v1/auth/page/device"


def routes() -> list[Route]:
    """Official programs exchange codes at another address than the documentation names, so that there are two."""
    public = Right.PUBLIC
    return [
        post("/v1/auth/login", log_in, needs=public, title="Sign in with a password"),
        post("/v1/auth/mfa", log_in_with_code, needs=public, title="Sign in with a second factor"),
        post(
            "/v1/auth/password/reset",
            request_reset,
            needs=public,
            status=204,
            title="Request a link to reset a password",
        ),
        post("/v1/auth/token", exchange_code, needs=public, title="Exchange a code for tokens"),
        post(
            "/v1/auth/pkce/token", exchange_code, needs=public, is_documented=False, title="Exchange a code for tokens"
        ),
        post("/v1/auth/device", start_device, needs=public, title="Start the sign-in of a device"),
        post(
            "/v1/auth/device/token",
            exchange_device_code,
            needs=public,
            title="Exchange the code of a device for tokens",
        ),
        post("/v1/auth/token/refresh", refresh, needs=public, title="Refresh tokens of a sign-in"),
        post("/v1/auth/token/revoke", revoke, needs=public, status=204, title="Revoke a token"),
        post("/v1/auth/token/introspect", introspect, needs=public, title="Check a token"),
        get(
            "/v1/auth/token/introspect",
            introspect_own,
            needs=Right.TOKEN,
            auth=person(tokens.find_person),
            title="Check the token of the request",
        ),
    ]


def log_in(request: Request, body: PasswordLogin) -> TokenPair | MfaRequired:
    """Tokens for a password or, if the user has a second factor, what to send with its code."""
    finish = partial(_issue, body.client_id or "password")
    return signing_in.sign_in(request.stack, request.identity, body.email, body.password, finish)


def log_in_with_code(request: Request, body: MfaLogin) -> TokenPair:
    finish = partial(_issue, "password and second factor")
    return signing_in.sign_in_with_code(request.stack, request.identity, body.mfa_token, body.code, finish)


def _issue(description: str, tx: Transaction, user: User) -> TokenPair:
    return tokens.issue_pair(tx, user, description)


def request_reset(request: Request, body: ForgottenPassword) -> None:
    """An e-mail with a link that sets a new password, if a user has this address; the response does not tell."""
    resets.request_reset(request.stack, request.identity, body.email)


def exchange_code(request: Request, body: CodeExchange) -> TokenPair:
    """Tokens for the code that the browser brought back, and the verifier that only the program knows."""
    return authorizing.exchange_code(request.stack, request.identity, body)


def start_device(request: Request, body: DeviceRequest) -> Device:
    """A code to show: a person enters it in a browser."""
    begin_waiting(request.stack, request.identity, "device")
    page = f"{request.addresses.url_of(STORAGE)}{DEVICE_PAGE}"
    with request.writing() as tx:
        return devices.start_device(tx, body.client_id, page)


def exchange_device_code(request: Request, body: DeviceExchange) -> TokenPair:
    """Tokens, once the person has agreed; before that the errors of RFC 8628."""
    return devices.poll_device(request.stack, body.device_code, body.client_id)


def refresh(request: Request, body: RefreshRequest) -> TokenPair:
    """The next pair of tokens. The old refresh token stops working."""
    return tokens.refresh_pair(request.stack, request.identity, body.refresh_token)


def revoke(request: Request, body: TokenText) -> None:
    """Revoke a token, with everything that came of the same sign-in."""
    with request.writing() as tx:
        tokens.revoke(tx, request.identity, body.token)


def introspect(request: Request, body: TokenText) -> Introspection:
    """Whether a token is valid, whose it is, and which projects it opens."""
    with request.reading() as tx:
        return people.introspect(tx, body.token)


def introspect_own(request: Request) -> Introspection:
    """Whether the token in the header is valid, whose it is, and which projects it opens."""
    with request.reading() as tx:
        return people.introspect(tx, request.token)
