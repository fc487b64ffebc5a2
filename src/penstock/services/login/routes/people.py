"""Rows for whoever has signed in. Those that change how one signs in do not take a personal access token."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.errors import NotFound
from penstock.services.login import people, personal_tokens, second_factor, signing_in, tokens
from penstock.services.login.attempts import begin_confirmation
from penstock.services.login.errors import InvalidToken, WrongCode
from penstock.services.login.models import (
    Code,
    IssuedPersonalToken,
    Me,
    NewPersonalToken,
    PasswordChange,
    PersonalToken,
    RecoveryCodes,
    Session,
)
from penstock.services.login.second_factor import Setup
from penstock.services.login.store import tokens as store
from penstock.services.management.interface import find_user
from penstock.web.auth.person import person
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

MFA = "/v1/auth/second-factor"
TOKENS = "/v1/auth/personal-tokens"
SESSIONS = "/v1/auth/sessions"


def routes() -> list[Route]:
    anyone, needs = person(tokens.find_person), Right.TOKEN
    signed_in = person(tokens.find_signed_in, "signed in")
    return [
        get("/v1/auth/me", get_me, needs=needs, auth=anyone, title="Get the signed-in user"),
        get(SESSIONS, list_sessions, needs=needs, auth=signed_in, title="List sessions of the signed-in user"),
        delete(
            f"{SESSIONS}/{{session_id}}", end_session, needs=needs, auth=signed_in, status=204, title="End a session"
        ),
        get(TOKENS, list_tokens, needs=needs, auth=signed_in, title="List personal access tokens"),
        post(TOKENS, create_token, needs=needs, auth=signed_in, status=201, title="Create a personal access token"),
        delete(
            f"{TOKENS}/{{token_id}}",
            revoke_token,
            needs=needs,
            auth=signed_in,
            status=204,
            title="Revoke a personal access token",
        ),
        post(
            "/v1/auth/password", change_password, needs=needs, auth=signed_in, status=204, title="Change the password"
        ),
        post(MFA, start_second_factor, needs=needs, auth=signed_in, status=201),
        post(f"{MFA}/confirm", confirm_second_factor, needs=needs, auth=signed_in),
        post(f"{MFA}/remove", remove_second_factor, needs=needs, auth=signed_in, status=204),
    ]


def get_me(request: Request) -> Me:
    """Return who is signed in, and the projects to choose from, with the role in each."""
    with request.reading() as tx:
        return people.describe(tx, _person(request).user_id, request.identity.token_id)


def list_sessions(request: Request) -> list[Session]:
    with request.reading() as tx:
        return people.list_sessions(tx, _person(request).user_id, request.identity.token_id)


def end_session(request: Request, session_id: str) -> None:
    """Sign out a browser or a program."""
    number, caller = ids.read_id(session_id), _person(request)
    with request.writing() as tx:
        if number is None or not tokens.revoke_family(tx, caller, caller.user_id, number):
            raise NotFound(f"You have no sign-in {session_id}.")


def list_tokens(request: Request) -> list[PersonalToken]:
    with request.reading() as tx:
        return personal_tokens.list_tokens(tx, _person(request).user_id)


def create_token(request: Request, body: NewPersonalToken) -> IssuedPersonalToken:
    """A personal access token; its text is in this response only."""
    with request.writing() as tx:
        return personal_tokens.create_token(tx, request.identity, _person(request).user_id, body)


def revoke_token(request: Request, token_id: str) -> None:
    with request.writing() as tx:
        personal_tokens.revoke_token(tx, request.identity, ids.read_id(token_id), _person(request).user_id)


def change_password(request: Request, body: PasswordChange) -> None:
    """Every other sign-in of the user ends."""
    caller = _person(request)
    with request.reading() as tx:
        token = store.find_token(tx, caller.token_id)
    family = token.family_id if token else 0
    signing_in.change_password(request.stack, caller, caller.user_id, family, body.password, body.new_password)


def start_second_factor(request: Request) -> Setup:
    """A key for an authenticator app; it counts once a code of it is confirmed."""
    with request.writing() as tx:
        user = find_user(tx, _person(request).user_id)
        if not user:
            raise InvalidToken
        return second_factor.start_setup(tx, request.stack.cipher, user, request.stack.domain)


def confirm_second_factor(request: Request, body: Code) -> RecoveryCodes:
    """The recovery codes are in this response only. Every other sign-in of the user ends, since it was made without a
    code."""
    caller = _person(request)
    with request.writing() as tx:
        user, token = find_user(tx, caller.user_id), store.find_token(tx, caller.token_id)
        if not user or not token:
            raise InvalidToken
        codes = second_factor.confirm_setup(tx, request.stack.cipher, caller, user, body.code, token.family_id)
    return RecoveryCodes(recovery_codes=codes)


def remove_second_factor(request: Request, body: Code) -> None:
    """Remove the second factor with one of its codes, so that a browser that was left open does not do it."""
    caller = _person(request)
    begin_confirmation(request.stack, caller, caller.description)
    with request.writing() as tx:
        if not second_factor.accept_code(tx, request.stack, caller.user_id, body.code):
            raise WrongCode
        second_factor.remove_second_factor(tx, caller, caller.user_id)


def _person(request: Request) -> SignedIn:
    assert isinstance(request.identity, SignedIn)
    return request.identity
