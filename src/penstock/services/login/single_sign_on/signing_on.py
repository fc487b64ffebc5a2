"""The way of a browser to the provider and back. It is bound to the browser by a cookie: the nonce and the verifier of
PKCE are made from what the cookie holds, so that neither is stored."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.stack import Stack
from penstock.services.login.authorizing import make_challenge
from penstock.services.login.errors import SingleSignOnFailed, TooManyWaiting
from penstock.services.login.models import MfaRequired
from penstock.services.login.signing_in import Started, complete, complete_or_ask, start_session
from penstock.services.login.single_sign_on import id_tokens, provider
from penstock.services.login.store import codes
from penstock.services.management.interface import (
    Member,
    User,
    add_member,
    add_user,
    check_email,
    find_first_project,
    find_user_by_email,
)

LIFETIME = timedelta(minutes=10)
COOKIE = "penstock_sso"


class Begun(msgspec.Struct, frozen=True):
    location: str
    secret: str
    """What the cookie holds."""


async def begin(stack: Stack, redirect_uri: str) -> Begun:
    """Return where to send the browser; keep() stores that it is on its way."""
    found = await provider.discover(stack)
    secret, state = ids.new_secret(), ids.new_secret()
    fields = {
        "response_type": "code",
        "client_id": stack.settings.oidc_client_id or "",
        "redirect_uri": redirect_uri,
        "scope": "openid email profile",
        "state": state,
        "nonce": _derive(secret, "nonce"),
        "code_challenge": make_challenge(_derive(secret, "verifier")),
        "code_challenge_method": "S256",
    }
    separator = "&" if "?" in found.authorization_endpoint else "?"
    return Begun(f"{found.authorization_endpoint}{separator}{urlencode(fields)}", f"{state}.{secret}")


def keep(stack: Stack, begun: Begun, goes_to: str) -> None:
    state, _, secret = begun.secret.partition(".")
    row = codes.Code(
        code_hash=codes.hash_code(state),
        kind="sso",
        label=codes.hash_code(secret),
        data={"next": goes_to},
        expires=clock.now() + LIFETIME,
    )
    with stack.database.writing(0) as tx:
        if codes.count_waiting(tx, "sso") >= codes.MAX_WAITING:
            raise TooManyWaiting
        codes.add_code(tx, row)


def take(stack: Stack, state: str, cookie: str) -> tuple[str, str]:
    """The secret of the browser, and where it goes next. The state works once, and in that browser only."""
    secret = cookie.partition(".")[2]
    with stack.database.writing(0) as tx:
        row = codes.find_code(tx, "sso", state)
        is_same = row is not None and hmac.compare_digest(row.label, codes.hash_code(secret))
        if not row or not is_same or not row.is_valid or not codes.use_code(tx, row):
            raise SingleSignOnFailed("it was started in another browser, more than 10 minutes ago, or is complete")
    return secret, str(row.data["next"])


async def find_claims(stack: Stack, code: str, secret: str, redirect_uri: str) -> dict[str, Any]:
    """What the provider says of the user who comes back with a code."""
    found = await provider.discover(stack)
    granted = await provider.exchange(stack, found, code, _derive(secret, "verifier"), redirect_uri)
    keys, client_id = await provider.fetch_keys(stack, found), stack.settings.oidc_client_id or ""
    claims = id_tokens.verify(granted.id_token, keys, found.issuer, client_id, _derive(secret, "nonce"))
    if "email" in claims or not found.userinfo_endpoint or not granted.access_token:
        return claims
    more = await provider.fetch_claims(stack, found, granted.access_token)
    if more.get("sub") != claims.get("sub"):
        return claims
    # How the user signed in is believed of the id token only: it is signed, and of this sign-in.
    return {**{name: more[name] for name in more if name not in id_tokens.OF_METHODS}, **claims}


def sign_on(stack: Stack, visitor: Identity, claims: dict[str, Any]) -> Started | MfaRequired:
    """The user is found by e-mail, or made if the operator allows that. Whoever has a second factor here is asked for a
    code of it, unless the provider has proved one."""
    email = _read_email(claims)
    if claims.get("email_verified") not in (True, "true"):
        raise SingleSignOnFailed("the provider has not verified your e-mail address")
    with stack.database.writing(0) as tx:
        user = find_user_by_email(tx, email) or _join(tx, stack, visitor, email, str(claims.get("name") or ""))
        method = "single sign-on"
        if id_tokens.proves_second_factor(claims, stack.settings.oidc_second_factor):
            return complete(tx, visitor, user, f"{method} with a second factor", start_session)
        return complete_or_ask(tx, visitor, user, method, start_session)


def _read_email(claims: dict[str, Any]) -> str:
    """Return the address as those of users are: without letters that become those of another address in lower case,
    as the Kelvin sign becomes a k."""
    try:
        return check_email(str(claims.get("email") or ""))
    except Invalid as error:
        raise SingleSignOnFailed("the provider did not tell your e-mail address") from error


def _join(tx: Transaction, stack: Stack, visitor: Identity, email: str, name: str) -> User:
    role, project = stack.settings.oidc_auto_join, find_first_project(tx)
    if not role or not project:
        raise SingleSignOnFailed("nobody has invited your e-mail address to this stack")
    now = clock.now()
    user = User(id=ids.new_id(tx), email=email, name=name[:255] or email, created=now)
    add_user(tx, user)
    reason = "single sign-on"
    add_member(tx, Member(level="project", owner_id=project.id, user_id=user.id, role=role, reason=reason, created=now))
    details = {"role": role, "reason": reason}
    entry = audit.NewEntry.of(visitor, "member.added", f"user {user.id}", **details)
    audit.record(tx, msgspec.structs.replace(entry, project_id=project.id))
    return user


def _derive(secret: str, purpose: str) -> str:
    return hashlib.sha256(f"{purpose} {secret}".encode()).hexdigest()
