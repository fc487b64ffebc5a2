"""PKCE (RFC 7636): a program sends a person to the browser, and gets a code that only it can exchange for tokens."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from datetime import timedelta
from urllib.parse import urlencode, urlsplit

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.errors import GrantError, InvalidChallenge, InvalidRedirect, invalid_grant
from penstock.services.login.models import AuthorizeQuery, CodeExchange, TokenPair
from penstock.services.login.store import codes
from penstock.services.login.store.codes import Code
from penstock.services.login.tokens import issue_pair, revoke_family
from penstock.services.management.interface import find_user

LIFETIME = timedelta(minutes=5)
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_ADDRESS = re.compile(r"https?://[!-~]+")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def check_request(query: AuthorizeQuery, own: tuple[str, ...], registered: list[str]) -> None:
    """Check a request before anyone is redirected. `own` are the addresses of this stack that run programs in the
    browser."""
    if not _is_allowed(query.redirect_uri, own, registered):
        raise InvalidRedirect
    if query.code_challenge_method != "S256" or not is_challenge(query.code_challenge):
        raise InvalidChallenge


def _is_allowed(address: str, own: tuple[str, ...], registered: list[str]) -> bool:
    if not _ADDRESS.fullmatch(address) or "\\" in address or "#" in address:
        return False
    if address in registered:
        return True
    return _is_loopback(address) or any(address == each or address.startswith(f"{each}/") for each in own)


def _is_loopback(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises if it is not a number of a port
    except ValueError:
        return False
    return parts.scheme == "http" and parts.hostname in _LOOPBACK and "@" not in parts.netloc


def make_code(tx: Transaction, caller: Identity, user_id: int, query: AuthorizeQuery) -> str:
    """Return where the person is sent back to: the address of the program, with a code that works once."""
    text = f"kbc_ac_{ids.new_secret()}"
    data = {
        "client": query.client_id,
        "redirect": query.redirect_uri,
        "challenge": query.code_challenge,
        "state": query.state,
    }
    expires = clock.now() + LIFETIME
    row = Code(code_hash=codes.hash_code(text), kind="authorization", user_id=user_id, data=data, expires=expires)
    codes.add_code(tx, row)
    audit.record(tx, audit.NewEntry.of(caller, "login.authorized", f"user {user_id}", program=query.client_id))
    return add_to(query.redirect_uri, code=text, state=query.state)


def refuse(query: AuthorizeQuery) -> str:
    """The same for a person who does not allow it."""
    return add_to(query.redirect_uri, error="access_denied", state=query.state)


def add_to(address: str, **fields: str) -> str:
    given = {name: value for name, value in fields.items() if value}
    return f"{address}{'&' if '?' in address else '?'}{urlencode(given)}"


def exchange_code(stack: Stack, visitor: Identity, exchange: CodeExchange) -> TokenPair:
    """Tokens for the code. One that comes again was seen by others: what it got is revoked."""
    with stack.database.writing(0) as tx:
        code = codes.find_code(tx, "authorization", exchange.code)
        if not code:
            raise _refusal("is unknown here")
        if not code.used:
            if problem := _find_problem(code, exchange):
                raise _refusal(problem)
            return _issue(tx, code)
        revoke_family(tx, visitor, code.user_id, int(code.data["family"]))
    raise _refusal("was used before, so that the tokens it got are revoked")


def _issue(tx: Transaction, code: Code) -> TokenPair:
    user = find_user(tx, code.user_id)
    if not user or not codes.use_code(tx, code):
        raise _refusal("is unknown here")
    pair = issue_pair(tx, user, str(code.data["client"]))
    data = {**code.data, "family": int(pair.session_id)}
    codes.change_code(tx, msgspec.structs.replace(code, data=data, used=clock.now()))
    return pair


def _find_problem(code: Code, exchange: CodeExchange) -> str:
    """Empty if the code may be exchanged."""
    if not code.is_valid:
        return "has expired"
    if exchange.client_id != code.data["client"]:
        return "was made for another clientId"
    if exchange.redirect_uri != code.data["redirect"]:
        return "was sent to another redirectUri"
    if exchange.state is not None and exchange.state != code.data["state"]:
        return "belongs to another state"
    return "" if is_verified(exchange.code_verifier, str(code.data["challenge"])) else "belongs to another codeVerifier"


def is_challenge(text: str) -> bool:
    return bool(_CHALLENGE.fullmatch(text))


def is_verified(verifier: str, challenge: str) -> bool:
    return bool(_VERIFIER.fullmatch(verifier)) and hmac.compare_digest(make_challenge(verifier), challenge)


def make_challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _refusal(problem: str) -> GrantError:
    return invalid_grant(f"The code {problem}. Start the sign-in again.")
