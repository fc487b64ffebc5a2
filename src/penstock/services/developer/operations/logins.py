"""Logins: JWTs that live an hour, and refresh tokens with which a client gets more of them for 30 days.

Both are signed with a key that is derived from the stack's, and belong to a row of `developer_logins`; without it none
of them works. That of a user of the stack ends with the sign-in of Management that it belongs to. A refresh token has
a generation. A client may keep using the one it has, as most do; as soon as it uses the next one, an older one counts
as stolen: using it ends the login with all of its tokens.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import CALLERS, ServiceRight, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import InvalidToken, LimitedToken
from penstock.services.developer.models.accounts import REFRESH_DAYS, TOKEN_SECONDS, Account, LoginRow, Token
from penstock.services.developer.operations.accounts import record
from penstock.services.developer.operations.signed_in import find_account_of, to_account
from penstock.services.developer.operations.tokens import Claims, read_token, sign_token
from penstock.services.developer.store import accounts
from penstock.services.login.interface import end_sign_in, identify_person
from penstock.web.auth.developer_token import DEVELOPER_TOKEN
from penstock.web.auth.storage_token import PERSONAL

MANAGE_APPS = ServiceRight("MANAGE_APPS", "an administrator of the developer portal")


def create_login(tx: Transaction, cipher: Cipher, account: Account, sign_in_id: int | None = None) -> Token:
    """`sign_in_id` is that of a user of the stack, with which the login ends."""
    now = clock.now()
    login = LoginRow(
        id=ids.new_id(tx),
        username=account.username,
        generation=0,
        created=now,
        expires=now + timedelta(days=REFRESH_DAYS),
        sign_in_id=sign_in_id,
    )
    accounts.add_login(tx, login)
    return _make_token(cipher, login, 0)


def refresh_login(tx: Transaction, cipher: Cipher, text: str) -> Token | None:
    """A new token; None if the refresh token is stale, which has ended the login."""
    claims = read_token(cipher, text, "refresh")
    login, account = _find(tx, claims)
    if claims.generation < login.generation:
        end_login(tx, login.id)
        record(tx, account, "developer.refreshTokenReused", f"account {account.username}")
        return None
    accounts.change_login(tx, login.id, claims.generation)
    return _make_token(cipher, login, claims.generation + 1)


def end_login(tx: Transaction, login_id: int) -> None:
    """End a login with the sign-in, if it is that of a user."""
    ids.count_change(tx, CALLERS)
    login = accounts.find_login(tx, login_id)
    if login and login.sign_in_id is not None:
        end_sign_in(tx, login.sign_in_id)
    accounts.remove_login(tx, login_id)


def authenticate(stack: Stack, text: str) -> SignedIn:
    """Authenticate by a token of a login, or by one of a user of the stack."""
    if text.startswith(PERSONAL):
        return _find_person(stack, text)
    return _authenticate(stack, read_token(stack.cipher, text, "access"))


def authenticate_refresh(stack: Stack, text: str) -> SignedIn:
    return _authenticate(stack, read_token(stack.cipher, text, "refresh"))


def _find_person(stack: Stack, text: str) -> SignedIn:
    with stack.database.reading() as tx:
        person = identify_person(stack, tx, text)
        if person.project_ids or person.only_reads:
            raise LimitedToken
        account = to_account(tx, person.user)
    caller = _to_caller(account, person.token_id, person.expires)
    return msgspec.structs.replace(caller, grants_until=person.grants_until)


def _authenticate(stack: Stack, claims: Claims) -> SignedIn:
    with stack.database.reading() as tx:
        login, account = _find(tx, claims)
    return _to_caller(account, login.id, datetime.fromtimestamp(claims.exp, UTC))


def _to_caller(account: Account, token_id: int, expires: datetime | None) -> SignedIn:
    return SignedIn(
        scheme=DEVELOPER_TOKEN,
        project_id=0,
        token_id=token_id,
        description=account.username,
        expires=expires,
        subject=account.username,
        rights=frozenset({MANAGE_APPS} if account.is_admin else ()),
        user_id=account.user_id,
    )


def _find(tx: Transaction, claims: Claims) -> tuple[LoginRow, Account]:
    """Raises InvalidToken if the login has ended."""
    login = accounts.find_login(tx, claims.jti)
    account = find_account_of(tx, login) if login else None
    if not login or not account or login.username != claims.sub:
        raise InvalidToken
    return login, account


def _make_token(cipher: Cipher, login: LoginRow, generation: int) -> Token:
    now, end = int(clock.now().timestamp()), int(login.expires.timestamp())
    token = sign_token(cipher, Claims(sub=login.username, jti=login.id, iat=now, exp=now + TOKEN_SECONDS, use="access"))
    refresh = Claims(sub=login.username, jti=login.id, iat=now, exp=end, use="refresh", generation=generation)
    return Token(token=token, access_token=token, refresh_token=sign_token(cipher, refresh))
