"""What a registered program gets of a person: a code that works once, then tokens for one project, and their end."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.authorizing import is_verified
from penstock.services.login.errors import GrantError, invalid_grant
from penstock.services.login.oauth.clients import get_client
from penstock.services.login.oauth.models import (
    READ,
    SCOPES,
    AuthorizationRequest,
    Revocation,
    TokenRequest,
    Tokens,
)
from penstock.services.login.people import list_projects
from penstock.services.login.store import clients, codes
from penstock.services.login.store.clients import Client
from penstock.services.login.store.codes import Code
from penstock.services.login.store.tokens import Token
from penstock.services.login.tokens import (
    ACCESS,
    Pair,
    exchange_refresh_token,
    find_token,
    make_pair,
    revoke_family,
)
from penstock.services.management.interface import User, find_user

LIFETIME = timedelta(minutes=5)
"""Of a code."""


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has allowed."""

    project_id: int
    only_reads: bool
    resource: str


def make_code(tx: Transaction, caller: SignedIn, client: Client, request: AuthorizationRequest, grant: Grant) -> str:
    """The code that the browser takes back to the program."""
    text = f"kbc_ac_{ids.new_secret()}"
    data = {
        "client": client.id,
        "redirect": request.redirect_uri,
        "challenge": request.code_challenge,
        **msgspec.structs.asdict(grant),
    }
    expires = clock.now() + LIFETIME
    codes.add_code(
        tx, Code(code_hash=codes.hash_code(text), kind="grant", user_id=caller.user_id, data=data, expires=expires)
    )
    clients.mark_used(tx, client.id)
    _record(tx, caller, "login.authorized", client, project=grant.project_id, only_reads=grant.only_reads)
    return text


def record_refusal(tx: Transaction, caller: SignedIn, client: Client) -> None:
    _record(tx, caller, "login.denied", client)


def _record(tx: Transaction, caller: SignedIn, event: str, client: Client, **details: object) -> None:
    named = {"program": client.name, "client": client.id, **details}
    audit.record(tx, audit.NewEntry.of(caller, event, f"user {caller.user_id}", **named))


def exchange_code(stack: Stack, visitor: Identity, form: TokenRequest, resource: str) -> Tokens:
    """Tokens for a code. One that comes again was seen by others: what it got is revoked."""
    with stack.database.writing(0) as tx:
        client = get_client(tx, form.client_id)
        code = codes.find_code(tx, "grant", form.code)
        if not code:
            raise _refuse("is unknown here")
        if not code.used:
            _check_code(code, form, resource)
            return _issue(tx, client, code)
        revoke_family(tx, visitor, code.user_id, int(code.data.get("family", 0)))
    raise _refuse("was used before, so that the tokens it got are revoked")


def _check_code(code: Code, form: TokenRequest, resource: str) -> None:
    if not code.is_valid:
        raise _refuse("has expired")
    if form.client_id != code.data["client"]:
        raise _refuse("was made for another client_id")
    if form.redirect_uri != code.data["redirect"]:
        raise _refuse("was sent to another redirect_uri")
    if not is_verified(form.code_verifier, str(code.data["challenge"])):
        raise _refuse("belongs to another code_verifier")
    if form.resource and resource != code.data["resource"]:
        raise _other_resource(str(code.data["resource"]))


def _issue(tx: Transaction, client: Client, code: Code) -> Tokens:
    user, project_id = find_user(tx, code.user_id), int(code.data["project_id"])
    if not user or not codes.use_code(tx, code):
        raise _refuse("is unknown here")
    if not list_projects(tx, user, [project_id]):
        raise _refuse(f"opens nothing: its user is not a member of the project {project_id} any more")
    only_reads, resource = bool(code.data["only_reads"]), str(code.data["resource"])
    limits = {"project_ids": [project_id], "only_reads": only_reads, "client_id": client.id, "resource": resource}
    pair = make_pair(tx, user.id, description=client.name, **limits)
    data = {**code.data, "family": pair.family_id}
    codes.change_code(tx, msgspec.structs.replace(code, data=data, used=clock.now()))
    clients.mark_used(tx, client.id)
    return _to_tokens(pair, only_reads=only_reads)


def refresh(stack: Stack, visitor: Identity, form: TokenRequest, resource: str) -> Tokens:
    """The next tokens, as long as the user is a member of the project."""

    def is_allowed(tx: Transaction, token: Token, user: User) -> bool:
        get_client(tx, form.client_id)
        if token.client_id != form.client_id:
            return False
        if form.resource and resource != token.resource:
            raise _other_resource(token.resource)
        clients.mark_used(tx, form.client_id)
        return bool(list_projects(tx, user, token.project_ids))

    token, _, pair = exchange_refresh_token(stack, visitor, form.refresh_token, is_allowed)
    return _to_tokens(pair, only_reads=token.only_reads)


def revoke(tx: Transaction, visitor: Identity, form: Revocation) -> None:
    """Revoke a token with everything that came of the same consent. A token that is unknown here is not an error (RFC
    7009)."""
    get_client(tx, form.client_id)
    token = find_token(tx, form.token, ("access", "refresh"))
    if token and token.client_id != form.client_id:
        raise GrantError("invalid_grant", "The token was issued to another client_id.")
    if token:
        revoke_family(tx, visitor, token.user_id, token.family_id)


def _to_tokens(pair: Pair, *, only_reads: bool) -> Tokens:
    return Tokens(
        access_token=pair.access,
        refresh_token=pair.refresh,
        expires_in=int(ACCESS.total_seconds()),
        scope=READ if only_reads else " ".join(SCOPES),
    )


def _refuse(problem: str) -> GrantError:
    return invalid_grant(f"The code {problem}. Start the sign-in again.")


def _other_resource(resource: str) -> GrantError:
    return GrantError("invalid_target", f"The person was asked about {resource}, and not about this resource.")
